import { Command } from 'commander';
import { print, quotaOf, withStore } from './command.ts';

export const projectsList = new Command('list')
  .description('the projects with their plan, quotas and use')
  .option('--json', 'print a JSON array', false)
  .action(async ({ json }: { json: boolean }) => {
    const projects = (await withStore((store) => store.projects.list())).map((project) => ({
      id: project.id,
      name: project.name,
      plan: project.plan,
      ...quotaOf(project),
      usedThisMinute: project.usedThisMinute,
      usedToday: project.usedToday,
      createdAt: project.createdAt,
    }));
    print(projects, projects, json);
    if (projects.length === 0 && !json)
      process.stderr.write('No projects yet. Make one: animal-store keys create --plan free\n');
  });
