import { Command, Option } from 'commander';
import { CommandFailed, planFrom, print, withStore } from './command.ts';
import { quotaNumber } from './values.ts';

interface Options {
  readonly plan: string;
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly json: boolean;
}

export const projectsSetPlan = new Command('set-plan')
  .description('change a project’s plan; it counts from the next request on, and what is used stays used')
  .argument('<project-id>')
  .requiredOption('--plan <plan>', 'free, pro, business or enterprise')
  .addOption(new Option('--per-minute <n>', 'requests per minute, for a plan by agreement').argParser(quotaNumber))
  .addOption(new Option('--per-day <n>', 'requests per day, for a plan by agreement').argParser(quotaNumber))
  .option('--json', 'print JSON', false)
  .action(async (id: string, options: Options) => {
    const plan = planFrom(options);
    if (!(await withStore(({ projects }) => projects.setPlan(id, plan))))
      throw new CommandFailed(`There is no project ${id}. See: animal-store projects list`);
    print({ id, plan: plan.plan }, [{ id, plan: plan.plan }], options.json);
  });
