/**
 * The project's benchmarks. Each run starts a PostgreSQL, the servers and a load generator of its own, and stops them.
 *
 *     npm run bench                    the main table
 *     npm run bench -- limits          what the plan limits cost
 *     npm run bench -- size [--large]  whether cost grows with the data
 *     npm run bench -- tails           latencies at half and twice the maximum
 *     npm run bench -- soak            whether memory grows
 */

import { parseArgs } from 'node:util';
import { compare } from './compare.ts';
import { type Contestant, type ContestantName, contestantNames, startContestant } from './contestants.ts';
import { limits } from './limits.ts';
import { type LoadGenerator, startLoadGenerator } from './loadGenerator.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { machine, type Outcome, print } from './report.ts';
import type { Course } from './rounds.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';
import { size } from './size.ts';
import { soak } from './soak.ts';
import { tails } from './tails.ts';

export interface Options extends Course {
  readonly only: readonly ContestantName[] | undefined;
  readonly scenarios: readonly ScenarioName[] | undefined;
  readonly animals: number;
  readonly large: boolean;
  readonly requests: number;
}

/** What a benchmark has to work with. */
export interface Bench {
  readonly options: Options;
  readonly postgres: Postgres;
  readonly generator: LoadGenerator;
  /** Starts a contestant, to be stopped with the bench. */
  start(name: ContestantName, over: { animals: number; keys?: number }): Promise<Contestant>;
  /** Tells the person at the terminal how it goes. */
  note(text: string): void;
}

const benchmarks = { compare, limits, size, tails, soak };

const usage = `Usage: npm run bench -- [${Object.keys(benchmarks).join(' | ')}] [options]

  --seconds N       measured seconds of each round (5)
  --rounds N        rounds (3)
  --connections N   keep-alive connections (64)
  --animals N       animals in each database (200000)
  --only A,B        contestants: ${contestantNames.join(', ')}
  --scenario A,B    scenarios: ${Object.keys(scenarios).join(', ')}
  --large           size: also 10,000,000 animals
  --requests N      soak: so many requests (1000000)
  --json            results for machines on stdout
`;

class WrongUsage extends Error {}

const readArguments = () => {
  const { values, positionals } = (() => {
    try {
      return parseArgs({
        allowPositionals: true,
        options: {
          seconds: { type: 'string', default: '5' },
          rounds: { type: 'string', default: '3' },
          connections: { type: 'string', default: '64' },
          animals: { type: 'string', default: '200000' },
          requests: { type: 'string', default: '1000000' },
          only: { type: 'string' },
          scenario: { type: 'string' },
          large: { type: 'boolean', default: false },
          json: { type: 'boolean', default: false },
          help: { type: 'boolean', default: false },
        },
      });
    } catch (error) {
      throw new WrongUsage(error instanceof Error ? error.message : String(error));
    }
  })();
  const count = (name: 'seconds' | 'rounds' | 'connections' | 'animals' | 'requests'): number => {
    if (!/^[1-9]\d{0,8}$/.test(values[name])) throw new WrongUsage(`--${name} takes a positive whole number.`);
    return Number(values[name]);
  };
  const [which = 'compare', ...rest] = positionals;
  if (rest.length > 0 || !isOneOf(which, Object.keys(benchmarks) as (keyof typeof benchmarks)[])) {
    throw new WrongUsage(`No such benchmark: ${positionals.join(' ')}`);
  }
  return {
    which,
    json: values.json,
    help: values.help,
    options: {
      seconds: count('seconds'),
      rounds: count('rounds'),
      connections: count('connections'),
      animals: count('animals'),
      requests: count('requests'),
      large: values.large,
      only: choices(values.only, contestantNames),
      scenarios: choices(values.scenario, Object.keys(scenarios) as ScenarioName[]),
    },
  };
};

const isOneOf = <T extends string>(text: string, all: readonly T[]): text is T => all.some((each) => each === text);

const choices = <T extends string>(list: string | undefined, all: readonly T[]): T[] | undefined =>
  list?.split(',').map((text) => {
    if (!isOneOf(text, all)) throw new WrongUsage(`"${text}" is none of ${all.join(', ')}.`);
    return text;
  });

/** Aborted by a signal; what a benchmark says of its servers going away is of no interest then. */
const interruption = new AbortController();

const runBenchmark = async (
  which: keyof typeof benchmarks,
  options: Options,
): Promise<Outcome & { postgres: string }> => {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  };
  const interrupted = (): void => {
    interruption.abort();
    void stopAll().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const note = (text: string): void => console.error(text);
    const postgres = await startPostgres(options);
    stops.push(() => postgres.stop());
    const generator = startLoadGenerator();
    stops.push(() => generator.stop());
    const start: Bench['start'] = async (name, over) => {
      note(`Starting ${name} over ${over.animals.toLocaleString('en-US')} animals.`);
      const contestant = await startContestant(name, { postgres, ...over });
      stops.push(() => contestant.stop());
      return contestant;
    };
    const outcome = await benchmarks[which]({ options, postgres, generator, start, note });
    return { ...outcome, postgres: postgres.version };
  } finally {
    await stopAll();
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
};

try {
  const { which, options, json, help } = readArguments();
  if (help) console.log(usage);
  else {
    const { tables, method, results, flaws, postgres } = await runBenchmark(which, options);
    const where = machine(postgres);
    if (json)
      console.log(JSON.stringify({ benchmark: which, machine: where, method, options, results, flaws }, null, 2));
    else {
      for (const table of tables) console.log(print(table));
      console.log(
        `${where.processor}, ${where.cores} cores, ${where.memoryGiB} GiB, ${where.system}; Node ${where.node}, ` +
          `PostgreSQL ${where.postgresql}; server, PostgreSQL and load generator on this one machine; ` +
          `${method}; ${where.date}.`,
      );
    }
    for (const flaw of flaws) console.error(`Wrong: ${flaw}`);
    if (flaws.length > 0) process.exitCode = 1;
  }
} catch (error) {
  const wrongUsage = error instanceof WrongUsage;
  if (!interruption.signal.aborted) console.error(wrongUsage ? `${error.message}\n\n${usage}` : error);
  process.exitCode = wrongUsage ? 2 : 1;
}
