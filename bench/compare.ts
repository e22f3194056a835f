/** The main table: ours, what a team gets that follows the documentation, Express, and the ceiling. */

import type { Bench } from './bench.ts';
import type { Contestant, ContestantName } from './contestants.ts';
import { flawsOf, methodOf, type Outcome, resultsOf, type Table, tableOf } from './report.ts';
import { alternate, type Cell } from './rounds.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';

const names: readonly ContestantName[] = ['baseline', 'express', 'ours', 'ceiling'];
const mainScenarios: readonly ScenarioName[] = ['hot', 'lists', 'get', 'mix'];

/** 64 connections, 200,000 animals each. */
export const compare = async (bench: Bench): Promise<Outcome> => {
  const { options } = bench;
  const contestants: Contestant[] = [];
  for (const name of options.only ?? names) contestants.push(await bench.start(name, { animals: options.animals }));
  const tables: Table[] = [];
  const all: Cell[] = [];
  for (const what of options.scenarios ?? mainScenarios) {
    const entrants = contestants.map((contestant) => ({
      contestant,
      scenario: what,
      order: { loop: 'closed', what } as const,
    }));
    const cells = await alternate(entrants, options, bench);
    tables.push(tableOf(scenarios[what].title, cells, ['baseline']));
    all.push(...cells);
  }
  return { tables, method: methodOf(options), results: resultsOf(all), flaws: flawsOf(all) };
};
