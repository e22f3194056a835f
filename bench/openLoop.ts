/**
 * Load on a schedule: request number n is due n/rate seconds after the beginning, whether or not earlier ones were
 * answered, and its latency counts from then. A server that stalls so pays for all who would have come meanwhile.
 *
 * autocannon cannot do this: with `overallRate` each of its connections sends its share in a burst at the turn of
 * the second, and waits for answers. So the schedule is kept here, and undici, connection by connection, sends; it
 * costs 17 to 20 µs of CPU per request at 35,000 a second.
 */

import { Client, type Dispatcher } from 'undici';
import type { Order } from './order.ts';
import type { PreparedRequest, Reply } from './replies.ts';
import type { Stopwatch } from './stopwatch.ts';

/** Node's finest timer, in milliseconds; what is due in between leaves together, and waits in the measurement. */
const tick = 1;

/** How long a reply may take after the last request was due, in milliseconds; then it counts as none. */
const patience = 5_000;

/** Connections that are opened at once, before the schedule begins. */
const openedAtOnce = 50;

/** One request at a time, kept open while idle; the schedule watches the time, no timer for each request does. */
const connection = {
  pipelining: 1,
  keepAliveTimeout: 600_000,
  keepAliveMaxTimeout: 600_000,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Sends on schedule for the warm-up and the time of the order; `stopwatch` counts what is due in the latter. */
export const openLoop = async (order: Order, requests: PreparedRequest[], stopwatch: Stopwatch): Promise<void> => {
  const { rate = 1000, connections, warmupSeconds, seconds } = order;
  const clients = Array.from({ length: connections }, () => new Client(order.origin, connection));
  const numbered = (index: number): PreparedRequest => requests[index % requests.length] as PreparedRequest;
  for (let from = 0; from < connections; from += openedAtOnce) {
    const opening = clients
      .slice(from, from + openedAtOnce)
      .map((client, index) => once(client, numbered(from + index), stopwatch));
    await Promise.all(opening);
  }

  const begin = performance.now();
  const warmed = Math.floor(warmupSeconds * rate);
  const last = Math.floor((warmupSeconds + seconds) * rate);
  const dueAt = (index: number): number => begin + (index * 1000) / rate;
  const idle = [...clients];
  let sent = 0;
  let answered = 0;
  const send = (client: Client, index: number): void => {
    const due = dueAt(index);
    const counts = index >= warmed;
    if (counts) stopwatch.sentLate(performance.now() - due);
    ask(client, numbered(index), stopwatch, (status) => {
      if (counts) stopwatch.reply(status, performance.now() - due);
      answered += 1;
      idle.push(client);
    });
  };

  await new Promise<void>((resolve) => {
    let counting = false;
    const turn = (): void => {
      const now = performance.now();
      if (!counting && now >= dueAt(warmed)) {
        counting = true;
        stopwatch.start();
      }
      while (sent < last && dueAt(sent) <= now) {
        const client = idle.pop();
        if (!client) break;
        send(client, sent);
        sent += 1;
      }
      const over = answered === last || now > dueAt(last) + patience || stopwatch.hasFlaws;
      if (over) resolve();
      else setTimeout(turn, tick);
    };
    turn();
  });
  for (let missing = last - answered; missing > 0; missing -= 1) stopwatch.noReply();
  stopwatch.stop();
  await Promise.all(clients.map((client) => client.destroy()));
};

const once = (client: Client, request: PreparedRequest, stopwatch: Stopwatch): Promise<void> =>
  new Promise((resolve) => {
    ask(client, request, stopwatch, (status) => {
      stopwatch.reply(status, 0);
      resolve();
    });
  });

/** Sends a request and judges its reply. 503 is an answer that an overloaded server may give. */
const ask = (
  client: Client,
  request: PreparedRequest,
  stopwatch: Stopwatch,
  onReply: (status: number) => void,
): void => {
  const { method, path, headers, body = null, flawOf } = request;
  let status = 0;
  let contentType: Reply['contentType'];
  const chunks: Buffer[] = [];
  const handler: Dispatcher.DispatchHandler = {
    // Its presence tells undici which of its two sets of callbacks this is.
    onRequestStart() {},
    onResponseStart(_controller, statusCode, replyHeaders) {
      status = statusCode;
      contentType = String(replyHeaders['content-type']);
    },
    onResponseData(_controller, chunk) {
      if (flawOf) chunks.push(chunk);
    },
    onResponseEnd() {
      onReply(status);
      if (status !== 200 && status !== 201 && status !== 503) stopwatch.wrong(`status ${status} under load`);
      else if (flawOf && status !== 503)
        stopwatch.judge(flawOf({ status, contentType, body: Buffer.concat(chunks).toString() }));
    },
    onResponseError(_controller, error) {
      // The end of the load destroys connections whose reply is still awaited.
      if (!client.destroyed) stopwatch.wrong(`connection: ${error.message}`);
      onReply(0);
    },
  };
  client.dispatch({ method, path, headers, body }, handler);
};
