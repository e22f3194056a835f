/** How long the unlucky wait: open-loop load at half of the measured maximum, and at twice of it. */

import type { Bench } from './bench.ts';
import { flawsOf, methodOf, number, type Outcome, resultsOf } from './report.ts';
import { alternate, type Cell, figuresOf, median, type Round } from './rounds.ts';

/**
 * Half of the maximum must be answered quickly; what twice of it does is the test of shedding. Connections: at half,
 * more than are ever busy, and no more, because from 1,000 on undici's own garbage collection costs its p99 20 ms
 * (measured: 3 ms with 256); at twice, more than a server lets wait, so that it is the server that has to turn away,
 * and not the client that runs out of connections.
 */
const loads = [
  { share: 0.5, connections: 256 },
  { share: 2, connections: 3000 },
];

/** Latencies count from when a request was due, waiting in the generator included. */
export const tails = async (bench: Bench): Promise<Outcome> => {
  const { options } = bench;
  const [name = 'ours'] = options.only ?? [];
  const [what = 'hot'] = options.scenarios ?? [];
  const contestant = await bench.start(name, { animals: options.animals });
  const closed = await alternate(
    [{ contestant, scenario: 'maximum', order: { loop: 'closed', what } }],
    options,
    bench,
  );
  const [maximum] = closed;
  const most = maximum && maximum.flaws.length === 0 ? figuresOf(maximum).requestsPerSecond : undefined;
  const method = methodOf(options);
  if (most === undefined) return { tables: [], method, results: resultsOf(closed), flaws: flawsOf(closed) };

  const cells: Cell[] = [...closed];
  const rows = [rowOf('closed loop: the maximum', options.connections, undefined, maximum?.rounds ?? [])];
  for (const { share, connections } of loads) {
    const rate = Math.round(most * share);
    const order = { loop: 'open', what, rate, connections } as const;
    const [cell] = await alternate([{ contestant, scenario: `${share} of the maximum`, order }], options, bench);
    if (!cell) continue;
    cells.push(cell);
    rows.push(
      cell.flaws.length > 0
        ? [cell.scenario, 'wrong answers, no figure']
        : rowOf(cell.scenario, connections, rate, cell.rounds),
    );
  }
  return {
    tables: [
      {
        title: `Latencies of ${name} under load on a schedule`,
        columns: [
          '',
          'connections',
          'due/s',
          'accepted/s',
          '503 %',
          'no reply %',
          'p50 ms',
          'p99 ms',
          'p99.9 ms',
          'sent late, p99 ms',
          'generator CPU %',
        ],
        rows,
        notes: [
          'Latencies are those of accepted requests and count from when a request was due, up to 1 ms of the generator’s timer included.',
        ],
      },
    ],
    method,
    results: resultsOf(cells),
    flaws: flawsOf(cells),
  };
};

const rowOf = (title: string, connections: number, rate: number | undefined, rounds: readonly Round[]): string[] => {
  const middle = (pick: (round: Round) => number): number | undefined => median(rounds.map(pick));
  const share = ({ statuses }: Round, status: number): number => {
    const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    return (100 * (statuses[status] ?? 0)) / all;
  };
  return [
    title,
    number(connections),
    number(rate),
    number(middle((round) => round.accepted / round.seconds)),
    number(
      middle((round) => share(round, 503)),
      1,
    ),
    number(
      middle((round) => share(round, 0)),
      1,
    ),
    number(
      middle((round) => round.p50),
      2,
    ),
    number(
      middle((round) => round.p99),
      2,
    ),
    number(
      middle((round) => round.p999),
      2,
    ),
    number(
      middle((round) => round.sentLateP99),
      2,
    ),
    number(middle((round) => (100 * round.generatorCpu) / round.seconds)),
  ];
};
