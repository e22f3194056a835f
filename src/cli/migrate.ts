import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { openEmbedded } from '../store/embedded.ts';
import { migrate as migrateStore } from '../store/migrate.ts';
import { print } from './command.ts';

export const migrate = new Command('migrate')
  .description('bring the database to the newest schema; several may do so at once')
  .option('--json', 'print JSON', false)
  .action(async ({ json }: { json: boolean }) => {
    const { databaseUrl, dataDir } = readConfig(process.env);
    const embedded = databaseUrl === null ? await openEmbedded({ dataDir, exclusive: false }) : null;
    try {
      const applied = await migrateStore(databaseUrl ?? embedded?.url ?? '');
      print({ applied }, applied.map((name) => ({ applied: name })), json);
      if (applied.length === 0 && !json) process.stderr.write('The database has the newest schema.\n');
    } finally {
      await embedded?.release();
    }
  });
