import { Command } from 'commander';
import { fingerprint } from '../apiKey.ts';
import { CommandFailed, print, withStore } from './command.ts';

export const keysRevoke = new Command('revoke')
  .description('refuse a key from now on, at every instance')
  .argument('<key>', 'its id, or the key itself')
  .option('--json', 'print JSON', false)
  .action(async (key: string, { json }: { json: boolean }) => {
    const known = fingerprint(key);
    const done = await withStore(({ keys }) => keys.revoke(known === null ? { id: key } : { fingerprint: known }));
    // The argument may be a key, so it is not repeated.
    if (!done) throw new CommandFailed('There is no such key. See: animal-store keys list');
    print({ revoked: true }, [{ revoked: 'yes' }], json);
  });
