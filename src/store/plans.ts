import type { Terms } from './admission.ts';
import { Connection } from './connection.ts';
import { UnfitDatabase } from './migrate.ts';
import { arrayText, type Statement } from './statement.ts';

/** In: the plans by name, and those of them whose numbers stand with the project. */
const selectUnserved: Statement = {
  name: 'plans_unserved',
  text: `
    select plan, count(*) from projects
    where plan <> all ($1::text[]) or (plan = any ($2::text[]) and per_minute is null)
    group by plan order by plan`,
};

/**
 * Looks whether every project has a plan to be judged by. Throws `UnfitDatabase` that names the plans where some do not,
 * whose requests could only fail; `Failure` 503 where the database is away.
 */
export async function checkPlans(url: string, plans: Terms['plans']): Promise<void> {
  const custom = [...plans].flatMap(([name, quota]) => (quota === 'custom' ? [name] : []));
  const connection = new Connection(url, 3_000);
  try {
    const rows = await connection.run(selectUnserved, [arrayText([...plans.keys()]), arrayText(custom)]);
    if (rows.length === 0) return;
    const found = rows.map(([plan, projects]) => `${plan} (${projects})`).join(', ');
    throw new UnfitDatabase(
      `The database has projects on plans that openapi.yaml gives no numbers for: ${found}. ` +
        'Move them with "animal-store projects set-plan", or bring the plan back.',
    );
  } finally {
    await connection.close();
  }
}
