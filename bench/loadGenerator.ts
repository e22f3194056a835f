/** The hand on the load generator's process. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Measurement, Order } from './order.ts';

export interface LoadGenerator {
  measure(order: Order): Promise<Measurement>;
  stop(): Promise<void>;
}

/** Starts the generator. One process serves a whole run, so that it is warm for everybody. */
export const startLoadGenerator = (): LoadGenerator => {
  // Replies die young; with room for more of them before each collection, the generator stalls less.
  const child = fork(new URL('generator.ts', import.meta.url), { execArgv: ['--max-semi-space-size=64'] });
  const ended = once(child, 'exit').then(() => ({ failure: 'The load generator ended.' }));
  return {
    async measure(order) {
      const reply = once(child, 'message').then(
        ([message]) => message as { measurement?: Measurement; failure?: string },
      );
      child.send(order);
      const { measurement, failure } = await Promise.race([
        reply,
        ended.then((end) => ({ ...end, measurement: undefined })),
      ]);
      if (!measurement) throw new Error(failure);
      return measurement;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};
