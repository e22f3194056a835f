/** The load generator: a process of its own, so that its cost is not the server's. Takes orders over IPC. */

import type pg from 'pg';
import { request } from 'undici';
import { withDatabase } from './animals.ts';
import { closedLoop, requestsPerConnection } from './closedLoop.ts';
import { openLoop } from './openLoop.ts';
import type { Measurement, Order } from './order.ts';
import { type PreparedRequest, prepare } from './replies.ts';
import { Stopwatch } from './stopwatch.ts';

/** Replies that are looked at before the load begins. */
const firstLooks = 20;

/** Requests that an open loop draws in advance and walks through, over and over. */
const openLoopRequests = 20_000;

const measure = (order: Order): Promise<Measurement> =>
  withDatabase(order.database, async (database) => {
    const stopwatch = new Stopwatch(order);
    const count = order.loop === 'closed' ? order.connections * requestsPerConnection : openLoopRequests;
    const requests = await prepare(order, count, database);
    const lastId = await highestId(database);
    await lookFirst(order.origin, requests, stopwatch);
    if (stopwatch.hasFlaws) return stopwatch.read();
    await (order.loop === 'closed' ? closedLoop : openLoop)(order, requests, stopwatch);
    if (order.stores) await compareCount(order, lastId, database, stopwatch);
    return stopwatch.read();
  });

const lookFirst = async (origin: string, requests: PreparedRequest[], stopwatch: Stopwatch): Promise<void> => {
  for (const { method, path, headers, body, flawOf } of requests.filter((each) => each.flawOf).slice(0, firstLooks)) {
    const reply = await request(`${origin}${path}`, { method, headers, body: body ?? null });
    const text = await reply.body.text();
    stopwatch.reply(reply.statusCode, 0);
    stopwatch.judge(
      flawOf?.({ status: reply.statusCode, contentType: String(reply.headers['content-type']), body: text }),
    );
  }
};

const highestId = async (database: pg.Client): Promise<number> => {
  const { rows } = await database.query<{ id: number }>('select id from pets order by id desc limit 1');
  return rows[0]?.id ?? 0;
};

/** Every acknowledged create is in the table; beyond them only those whose reply the end of the load cut off. */
const compareCount = async (order: Order, lastId: number, database: pg.Client, stopwatch: Stopwatch): Promise<void> => {
  const { rows } = await database.query<{ count: number }>('select count(*) from pets where id > $1', [lastId]);
  const stored = rows[0]?.count ?? 0;
  if (stored < stopwatch.created || stored > stopwatch.created + order.connections) {
    stopwatch.wrong(`${stopwatch.created} creates were acknowledged, ${stored} are stored`);
  }
};

process.on('message', async (order: Order) => {
  try {
    process.send?.({ measurement: await measure(order) });
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.stack : String(error) });
  }
});

// Whoever gave the orders is gone, or wants no more: whatever is under way ends here.
process.on('disconnect', () => process.exit());
