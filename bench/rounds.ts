/** Contestants in turn, round after round, so that whatever else the machine does hits all of them alike. */

import type { Bench } from './bench.ts';
import type { Contestant } from './contestants.ts';
import type { Measurement, Order } from './order.ts';
import { residentMiB } from './processes.ts';

/** One contestant in one scenario. */
export interface Cell {
  readonly contestant: string;
  readonly scenario: string;
  readonly rounds: readonly Round[];
  /** Wrong answers. There are no figures then. */
  readonly flaws: readonly string[];
}

export interface Round extends Measurement {
  /** Resident memory of the server at the end, in MiB. */
  readonly memory: number | undefined;
}

/** Someone who can be asked to measure, and what to ask. */
export interface Entrant {
  readonly contestant: Contestant;
  readonly scenario: string;
  readonly order: Pick<Order, 'loop' | 'what'> & Partial<Order>;
}

export interface Course {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Seconds under load before counting begins: in the first round compilers get to work, later ones only wake up. */
const warmups = { first: 3, later: 1 };

/** The middle value; the mean of the two in the middle of an even number. */
export const median = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined).sort((one, other) => one - other);
  const [low, high] = [known[(known.length - 1) >> 1], known[known.length >> 1]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
};

/** Accepted requests per second, CPU seconds per 1,000 of them, and the rest: medians over the rounds of a cell. */
export const figuresOf = ({ rounds }: Cell) => {
  const middle = (pick: (round: Round) => number | undefined): number | undefined => median(rounds.map(pick));
  const perThousand = (cpu: number | undefined, { accepted }: Round): number | undefined =>
    cpu && (1000 * cpu) / accepted;
  return {
    requestsPerSecond: middle((round) => round.accepted / round.seconds),
    p50: middle((round) => round.p50),
    p99: middle((round) => round.p99),
    p999: middle((round) => round.p999),
    serverCpuPerThousand: middle((round) => perThousand(round.serverCpu, round)),
    postgresCpuPerThousand: middle((round) => perThousand(round.postgresCpu, round)),
    memory: middle((round) => round.memory),
    generatorBusy: middle((round) => round.generatorCpu / round.seconds),
  };
};

/** Lets all entrants run in turn. Who answers wrongly is out. */
export const alternate = async (entrants: readonly Entrant[], course: Course, bench: Bench): Promise<Cell[]> => {
  const cells = entrants.map(({ contestant, scenario }) => ({
    contestant: contestant.name,
    scenario,
    rounds: [] as Round[],
    flaws: [] as string[],
  }));
  for (let round = 0; round < course.rounds; round += 1) {
    for (const [index, { contestant, scenario, order }] of entrants.entries()) {
      const cell = cells[index];
      if (!cell || cell.flaws.length > 0) continue;
      const measurement = await bench.generator.measure({
        origin: contestant.origin,
        keys: contestant.keys,
        database: contestant.database,
        animals: contestant.animals,
        stores: contestant.stores,
        connections: course.connections,
        warmupSeconds: round === 0 ? warmups.first : warmups.later,
        seconds: course.seconds,
        serverPid: contestant.pid,
        postgresPid: bench.postgres.pid,
        ...order,
      });
      cell.rounds.push({ ...measurement, memory: residentMiB(contestant.pid) });
      cell.flaws.push(...measurement.flaws);
      const rate = Math.round(measurement.accepted / measurement.seconds);
      bench.note(
        `${scenario}, round ${round + 1} of ${course.rounds}, ${contestant.name}: ${cell.flaws[0] ?? `${rate} requests/s`}`,
      );
    }
  }
  return cells;
};
