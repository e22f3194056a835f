/** Counts what happens between two moments. */

import { createHistogram } from 'node:perf_hooks';
import type { Measurement, Order } from './order.ts';
import { cpuSeconds } from './processes.ts';

/** More than this many flaws tell nothing new. */
const enoughFlaws = 3;

/** One measurement in the making; it counts only from `start` to `stop`, flaws always. */
export class Stopwatch {
  readonly #order: Order;
  readonly #latencies = createHistogram();
  readonly #lateness = createHistogram();
  readonly #statuses: Record<number, number> = {};
  readonly #flaws: string[] = [];
  #running = false;
  #accepted = 0;
  #checked = 0;
  #created = 0;
  #startedAt = 0;
  #costAtStart: Cost | undefined;
  #seconds = 0;
  #cost: Cost | undefined;

  constructor(order: Order) {
    this.#order = order;
  }

  start(): void {
    this.#costAtStart = costOf(this.#order);
    this.#startedAt = performance.now();
    this.#running = true;
  }

  stop(): void {
    if (!this.#running) return;
    this.#running = false;
    this.#seconds = (performance.now() - this.#startedAt) / 1000;
    this.#cost = costOf(this.#order);
  }

  /** Creates acknowledged since the beginning, warm-up included. */
  get created(): number {
    return this.#created;
  }

  get hasFlaws(): boolean {
    return this.#flaws.length > 0;
  }

  /** A reply, and how long it took. */
  reply(status: number, milliseconds: number): void {
    if (status === 201) this.#created += 1;
    if (!this.#running) return;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (status !== 200 && status !== 201) return;
    this.#accepted += 1;
    // The histogram takes whole numbers from 1 on: microseconds.
    this.#latencies.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  /** A request that nobody answered in time. */
  noReply(): void {
    if (this.#running) this.#statuses[0] = (this.#statuses[0] ?? 0) + 1;
  }

  /** A request left so much after its time. */
  sentLate(milliseconds: number): void {
    if (this.#running) this.#lateness.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  /** The judgement of a reply that was compared with the database. */
  judge(flaw: string | undefined): void {
    this.#checked += 1;
    if (flaw !== undefined) this.wrong(flaw);
  }

  wrong(flaw: string): void {
    if (this.#flaws.length < enoughFlaws && !this.#flaws.includes(flaw)) this.#flaws.push(flaw);
  }

  /** What was measured. */
  read(): Measurement {
    const before = this.#costAtStart;
    const after = this.#cost;
    return {
      seconds: this.#seconds,
      statuses: this.#statuses,
      accepted: this.#accepted,
      p50: this.#latencies.percentile(50) / 1000,
      p99: this.#latencies.percentile(99) / 1000,
      p999: this.#latencies.percentile(99.9) / 1000,
      serverCpu: difference(before?.server, after?.server),
      postgresCpu: difference(before?.postgres, after?.postgres),
      generatorCpu: difference(before?.generator, after?.generator) ?? 0,
      sentLateP99: this.#lateness.count > 0 ? this.#lateness.percentile(99) / 1000 : 0,
      checked: this.#checked,
      flaws: this.#flaws,
    };
  }
}

interface Cost {
  readonly server: number | undefined;
  readonly postgres: number | undefined;
  readonly generator: number;
}

const costOf = (order: Order): Cost => {
  const { user, system } = process.cpuUsage();
  return {
    server: cpuSeconds(order.serverPid),
    postgres: cpuSeconds(order.postgresPid),
    generator: (user + system) / 1e6,
  };
};

const difference = (before: number | undefined, after: number | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : after - before;
