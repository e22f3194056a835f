/** What the benchmark tells the load generator, and what it hears back. Both cross a process boundary. */

import type { Ask, ScenarioName } from './scenarios.ts';

/** A measurement to be made. */
export interface Order {
  /**
   * `closed`: each connection asks again when it has its answer, which finds the most that a server gives.
   * `open`: requests leave on a schedule of `rate` per second whatever the server does, and waiting counts.
   */
  readonly loop: 'closed' | 'open';
  readonly rate?: number;
  readonly origin: string;
  /** The keys to ask with, drawn at random for each request. */
  readonly keys: readonly string[];
  /** A scenario, or one request over and over. */
  readonly what: ScenarioName | Ask;
  /** The database that holds the right answers, and how many animals it had at first. */
  readonly database: string;
  readonly animals: number;
  /** Whether a created animal is to be found in the database. */
  readonly stores: boolean;
  readonly connections: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** Whose CPU time is counted. */
  readonly serverPid: number;
  readonly postgresPid: number | undefined;
}

/** What came of it. Latencies are those of the accepted requests, in milliseconds. */
export interface Measurement {
  readonly seconds: number;
  /** Replies within the time, by status; 0 stands for none. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly accepted: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** CPU seconds within the time. */
  readonly serverCpu: number | undefined;
  readonly postgresCpu: number | undefined;
  readonly generatorCpu: number;
  /** How late the generator itself sent, 99th percentile in milliseconds; 0 in a closed loop. */
  readonly sentLateP99: number;
  /** How many replies were compared with the database, and what was wrong with any. */
  readonly checked: number;
  readonly flaws: readonly string[];
}
