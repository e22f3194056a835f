/** Whether memory grows: a million requests of the mix, and the server's resident memory along the way. */

import type { Bench } from './bench.ts';
import { flawsOf, number, type Outcome, resultsOf } from './report.ts';
import { alternate, type Cell } from './rounds.ts';

/** A look at the memory about this often, in seconds of load. */
const stretch = 5;

/** The first stretch warms up; growth counts from its end. */
export const soak = async (bench: Bench): Promise<Outcome> => {
  const { options } = bench;
  const [name = 'ours'] = options.only ?? [];
  const [what = 'mix'] = options.scenarios ?? [];
  const contestant = await bench.start(name, { animals: options.animals });
  const course = { ...options, rounds: 1, seconds: stretch };
  const cells: Cell[] = [];
  const looks: { requests: number; memory: number | undefined }[] = [];
  let requests = 0;
  while (requests < options.requests) {
    const [cell] = await alternate([{ contestant, scenario: 'soak', order: { loop: 'closed', what } }], course, bench);
    const [round] = cell?.rounds ?? [];
    if (!cell || !round) break;
    cells.push(cell);
    if (cell.flaws.length > 0) break;
    requests += round.accepted;
    looks.push({ requests, memory: round.memory });
  }
  const flaws = flawsOf(cells);
  const rows = looks.map((look) => [number(look.requests), number(look.memory)]);
  return {
    tables:
      flaws.length > 0
        ? []
        : [{ title: `Resident memory of ${name} over a soak`, columns: ['requests', 'memory MiB'], rows }],
    method: `${options.connections} connections, ${what}`,
    results: { looks, cells: resultsOf(cells) },
    flaws,
  };
};
