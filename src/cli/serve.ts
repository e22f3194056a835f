import { Command } from 'commander';
import { readConfig } from '../config.ts';

export const serve = new Command('serve').description('run the service').action(async () => {
  const config = readConfig(process.env);
  // Only here: the other commands need not wait until all of the server is loaded.
  const { runService } = await import('./service.ts');
  await runService(config);
});
