/** Requests ready to be sent, some of them with the judgement of their reply. */

import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Order } from './order.ts';
import { type Ask, answerTo, pathOf, scenarios } from './scenarios.ts';

export interface Reply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface PreparedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** What is wrong with a reply, or nothing. Only some requests have it: parsing every reply would cost too much. */
  readonly flawOf?: (reply: Reply) => string | undefined;
}

/** One in so many replies is compared with the database in full; the status is looked at in all of them. */
const checkOneIn = 50;

/** Draws `count` requests, the first of them with a check. */
export const prepare = async (order: Order, count: number, database: pg.Client): Promise<PreparedRequest[]> => {
  const answers = new Map<string, Promise<unknown>>();
  const expect = (ask: Ask): Promise<unknown> => {
    if (ask.kind === 'create') return answerTo(ask, database);
    const known = answers.get(pathOf(ask)) ?? answerTo(ask, database);
    answers.set(pathOf(ask), known);
    return known;
  };
  const { what } = order;
  const prepared: PreparedRequest[] = [];
  for (let index = 0; index < count; index += 1) {
    const ask: Ask = typeof what === 'string' ? scenarios[what].draw(order.animals) : what;
    const creates = ask.kind === 'create';
    const key = order.keys[Math.floor(Math.random() * order.keys.length)];
    const request = {
      method: creates ? 'POST' : 'GET',
      path: pathOf(ask),
      headers: { authorization: `Bearer ${key}`, ...(creates && { 'content-type': 'application/json' }) },
      body: creates ? JSON.stringify(ask.animal) : undefined,
    } as const;
    if (index % checkOneIn > 0) prepared.push(request);
    else {
      const expected = await expect(ask);
      prepared.push({ ...request, flawOf: (reply) => flaw(ask, expected, reply) });
    }
  }
  return prepared;
};

const flaw = (ask: Ask, expected: unknown, reply: Reply): string | undefined => {
  const where = `${ask.kind === 'create' ? 'POST' : 'GET'} ${pathOf(ask)}`;
  const status = ask.kind === 'create' ? 201 : 200;
  if (reply.status !== status) return `${where}: status ${reply.status}, not ${status}: ${reply.body.slice(0, 200)}`;
  if (!reply.contentType?.startsWith('application/json')) return `${where}: Content-Type ${reply.contentType}`;
  try {
    let body: unknown = JSON.parse(reply.body);
    if (ask.kind === 'create') {
      const { id, ...rest } = body as Record<string, unknown>;
      if (!Number.isInteger(id)) return `${where}: created with the id ${id}`;
      body = rest;
    }
    if (isDeepStrictEqual(body, expected)) return undefined;
    return `${where}: answered ${reply.body.slice(0, 200)}, where the database holds ${JSON.stringify(expected)?.slice(0, 200)}`;
  } catch {
    return `${where}: no JSON: ${reply.body.slice(0, 200)}`;
  }
};
