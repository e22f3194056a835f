import { Command, Option } from 'commander';
import { mint } from '../apiKey.ts';
import type { NewKey } from '../store/keys.ts';
import { CommandFailed, planFrom, print, UsageError, withStore } from './command.ts';
import { showKey } from './keysList.ts';
import { instant, label, quotaNumber } from './values.ts';

interface Options {
  readonly plan?: string;
  readonly project?: string;
  readonly name?: string;
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly expires?: Date;
  readonly json: boolean;
}

export const keysCreate = new Command('create')
  .description('make an API key, and print it once: with --plan in a new project, with --project in one that exists')
  .addOption(new Option('--plan <plan>', 'the new project’s plan: free, pro, business or enterprise'))
  .addOption(new Option('--project <project-id>', 'another key of this project; it shares the quotas'))
  .addOption(new Option('--name <text>', 'what the key is for').argParser(label))
  .addOption(new Option('--per-minute <n>', 'requests per minute, for a plan by agreement').argParser(quotaNumber))
  .addOption(new Option('--per-day <n>', 'requests per day, for a plan by agreement').argParser(quotaNumber))
  .addOption(new Option('--expires <iso-date>', 'from when on the key is refused, UTC').argParser(instant))
  .option('--json', 'print the key and all about it as JSON', false)
  .action(async (options: Options) => {
    const { plan, project } = options;
    if ((plan === undefined) === (project === undefined))
      throw new UsageError('Give either --plan, for a new project, or --project, for another key of one that exists.');
    if (project !== undefined && (options.perMinute !== undefined || options.perDay !== undefined))
      throw new UsageError('--per-minute and --per-day belong to a project; change it with: projects set-plan');
    const planned = plan === undefined ? null : planFrom({ ...options, plan });

    const { key, fingerprint } = mint();
    const fresh: NewKey = { fingerprint, name: options.name ?? null, expiresAt: options.expires ?? null };
    const stored = await withStore(({ keys }) =>
      planned !== null ? keys.createWithProject(fresh, planned) : keys.createInProject(fresh, project ?? ''),
    );
    if (stored === null) throw new CommandFailed(`There is no project ${project}. See: animal-store projects list`);
    if (options.json) print({ ...showKey(stored), key }, [], true);
    else {
      process.stdout.write(`${key}\n`);
      process.stderr.write(
        `Key ${stored.id} of project ${stored.projectId} (${stored.plan}). It is shown this once: keep it.\n`,
      );
    }
  });
