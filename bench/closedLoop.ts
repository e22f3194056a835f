/**
 * The most that a server gives: autocannon, each connection asking again as soon as it has its answer.
 *
 * Why autocannon: measured on one core against a Fastify that answers 1.4 kB from memory, it costs 13 µs of CPU per
 * request, as undici's `dispatch` (13 µs) and loadtest's TCP mode (13.5 µs) do; bare sockets that parse nothing cost
 * 10 to 11 µs. Its requests are printed before the first is sent.
 */

import autocannon from 'autocannon';
import type { Order } from './order.ts';
import type { PreparedRequest, Reply } from './replies.ts';
import type { Stopwatch } from './stopwatch.ts';

/**
 * Requests that each connection walks through, over and over. Each has drawn its own, so that no two connections
 * ask the same in step.
 */
export const requestsPerConnection = 500;

/** Puts the server under load for the warm-up and the time of the order; `stopwatch` counts the latter. */
export const closedLoop = (order: Order, requests: PreparedRequest[], stopwatch: Stopwatch): Promise<void> =>
  new Promise((resolve, reject) => {
    let next = 0;
    const run = autocannon(
      {
        url: order.origin,
        connections: order.connections,
        duration: 2 * (order.warmupSeconds + order.seconds) + 10,
        // How often it looks whether it was stopped, in milliseconds.
        sampleInt: 50,
        setupClient: (client) => {
          client.setRequests(
            requests.slice(next, next + requestsPerConnection).map((request) => checked(request, stopwatch)),
          );
          next += requestsPerConnection;
        },
      },
      (error) => (error ? reject(error) : resolve()),
    );
    const stop = (): void => {
      stopwatch.stop();
      run.stop();
    };
    const starting = setTimeout(() => stopwatch.start(), order.warmupSeconds * 1000);
    const stopping = setTimeout(stop, (order.warmupSeconds + order.seconds) * 1000);
    run.on('response', (_client, status, _bytes, milliseconds) => {
      stopwatch.reply(status, milliseconds);
      if (status !== 200 && status !== 201) stopwatch.wrong(`status ${status} under load`);
      if (!stopwatch.hasFlaws) return;
      // Wrong answers may be fast ones: no figure will be printed, so there is nothing to wait for.
      clearTimeout(starting);
      clearTimeout(stopping);
      stop();
    });
    run.on('reqError', (error) => stopwatch.wrong(`connection: ${error instanceof Error ? error.message : error}`));
  });

const checked = ({ flawOf, ...request }: PreparedRequest, stopwatch: Stopwatch): autocannon.Request => {
  if (!flawOf) return request;
  return {
    ...request,
    onResponse: (status, body, _context, headers = {}) => {
      stopwatch.judge(flawOf({ status, body, contentType: contentTypeOf(headers) }));
    },
  };
};

/** Names of headers arrive as the server wrote them. */
const contentTypeOf = (headers: Record<string, string | string[] | undefined>): Reply['contentType'] => {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === 'content-type');
  return name === undefined ? undefined : String(headers[name]);
};
