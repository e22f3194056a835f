import { Command } from 'commander';
import { CommandFailed, print, withStore } from './command.ts';

export const keysUnban = new Command('unban')
  .description('lift the ban of a key')
  .argument('<key-id>')
  .option('--json', 'print JSON', false)
  .action(async (id: string, { json }: { json: boolean }) => {
    if (!(await withStore(({ keys }) => keys.unban(id))))
      throw new CommandFailed('There is no such key. See: animal-store keys list');
    print({ id, bannedUntil: null }, [{ id, banned: 'no' }], json);
  });
