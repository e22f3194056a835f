/** Whether the cost grows with the data: the same requests over 10⁴, 10⁶ and, with `--large`, 10⁷ animals. */

import { writeCursor } from '../src/cursor.ts';
import type { Bench } from './bench.ts';
import type { Contestant } from './contestants.ts';
import { flawsOf, methodOf, number, type Outcome, resultsOf } from './report.ts';
import { alternate, type Cell, figuresOf } from './rounds.ts';
import type { Ask, ScenarioName } from './scenarios.ts';

const middlePage = (animals: number): Ask => {
  const after = animals / 2;
  return { kind: 'list', limit: 20, cursor: writeCursor(BigInt(after)), after };
};

/** Creates come last: they make the small table grow. */
const requests: readonly { readonly title: string; readonly what: ScenarioName | ((animals: number) => Ask) }[] = [
  { title: 'first page', what: 'hot' },
  { title: 'a page in the middle', what: middlePage },
  { title: 'status=available', what: 'available' },
  { title: 'status=sold', what: 'sold' },
  { title: 'a rare status', what: 'rare' },
  { title: 'one by id', what: 'get' },
  { title: 'create', what: 'create' },
];

/** Requests per second at each size, and the lowest of them against the highest. */
export const size = async (bench: Bench): Promise<Outcome> => {
  const { options } = bench;
  const [name = 'ours'] = options.only ?? [];
  const sizes = options.large ? [1e4, 1e6, 1e7] : [1e4, 1e6];
  const contestants: Contestant[] = [];
  for (const animals of sizes) contestants.push(await bench.start(name, { animals }));
  const all: Cell[] = [];
  const rows: string[][] = [];
  for (const { title, what } of requests) {
    const entrants = contestants.map((contestant) => ({
      contestant: { ...contestant, name: `${name}, ${number(contestant.animals)} animals` },
      scenario: title,
      order: { loop: 'closed', what: typeof what === 'string' ? what : what(contestant.animals) } as const,
    }));
    const cells = await alternate(entrants, options, bench);
    all.push(...cells);
    const rates = cells.map((cell) => (cell.flaws.length > 0 ? undefined : figuresOf(cell).requestsPerSecond));
    const known = rates.filter((rate) => rate !== undefined);
    const spread = known.length === rates.length ? Math.min(...known) / Math.max(...known) : undefined;
    rows.push([title, ...rates.map((rate) => number(rate)), number(spread, 2)]);
  }
  const columns = ['requests/s', ...sizes.map((animals) => `${number(animals)} animals`), 'lowest ÷ highest'];
  return {
    tables: [{ title: 'Requests per second by the size of the table', columns, rows }],
    method: methodOf({ rounds: options.rounds, seconds: options.seconds, connections: options.connections }),
    results: resultsOf(all),
    flaws: flawsOf(all),
  };
};
