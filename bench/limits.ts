/** What the plan limits cost: ours with admission and without, and the usual upsert per request beside them. */

import type { Bench } from './bench.ts';
import type { Contestant, ContestantName } from './contestants.ts';
import { flawsOf, methodOf, type Outcome, resultsOf, tableOf } from './report.ts';
import { alternate } from './rounds.ts';

const names: readonly ContestantName[] = ['ours-without-limits', 'ours', 'baseline', 'upsert'];

/** Enough that two requests under way seldom have the same key. */
const manyKeys = 1000;

/** `GET /v1/pets?limit=20` with one key for all, and with a thousand. */
export const limits = async (bench: Bench): Promise<Outcome> => {
  const { options } = bench;
  const contestants: Contestant[] = [];
  for (const name of options.only ?? names) {
    contestants.push(await bench.start(name, { animals: options.animals, keys: manyKeys }));
  }
  const measure = (scenario: string, keys: number) => {
    const entrants = contestants.map((contestant) => ({
      contestant,
      scenario,
      order: { loop: 'closed', what: 'hot', keys: contestant.keys.slice(0, keys) } as const,
    }));
    return alternate(entrants, options, bench);
  };
  const one = await measure('one hot key', 1);
  const many = await measure('a thousand keys', manyKeys);
  const against: readonly ContestantName[] = ['ours-without-limits', 'upsert'];
  return {
    tables: [tableOf('One hot key', one, against), tableOf('A thousand keys', many, against)],
    method: methodOf(options),
    results: resultsOf([...one, ...many]),
    flaws: flawsOf([...one, ...many]),
  };
};
