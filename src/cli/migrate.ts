import { Command } from 'commander';
import { migrate as migrateStore } from '../store/migrate.ts';
import { print, withDatabase } from './command.ts';

export const migrate = new Command('migrate')
  .description('bring the database to the newest schema; several may do so at once')
  .option('--json', 'print JSON', false)
  .action(async ({ json }: { json: boolean }) => {
    const applied = await withDatabase(migrateStore);
    print(
      { applied },
      applied.map((name) => ({ applied: name })),
      json,
    );
    if (applied.length === 0 && !json) process.stderr.write('The database has the newest schema.\n');
  });
