import { Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { workers } from './values.ts';

export const serve = new Command('serve')
  .description('run the service')
  .addOption(
    new Option('--workers <n>', 'processes that share the port; auto is one for each core')
      .default(1)
      .argParser(workers),
  )
  .action(async ({ workers }: { workers: number }) => {
    const config = readConfig(process.env);
    // Only here: the other commands need not wait until all of the server is loaded.
    if (workers > 1) {
      const { runWorkers } = await import('./workers.ts');
      await runWorkers(config, workers);
    } else {
      const { runService } = await import('./service.ts');
      await runService(config);
    }
  });
