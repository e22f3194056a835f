import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, replyChecker } from '../replies.ts';
import { type Asked, type Service, startService } from '../service.ts';
import { open, readReplies, sendRaw } from './raw.ts';

let service: Service;
let key: string;
let exhausted: string;
let checker: ReturnType<typeof replyChecker>;
/** Requests that never come to their end, begun before all tests: the server's patience is ten seconds. */
let stalled: readonly { method: string; target: string; replies: Promise<Reply[]> }[];

beforeAll(async () => {
  service = await startService();
  checker = replyChecker(service.contract);
  ({ key } = await service.newKey());
  ({ key: exhausted } = await service.newKey({ plan: 'enterprise', custom: { perMinute: 1, perDay: 1 } }));
  await service.ask('POST', '/v1/pets', { key: exhausted, body: pet });
  stalled = await Promise.all([
    stall('GET', '/v1/pets', ''),
    stall('GET', '/v1/pets/1', 'X-Slow: ', 'x'),
    stall(
      'POST',
      '/v1/pets',
      `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 29\r\n\r\n{"name":`,
    ),
    stall(
      'POST',
      '/v1/pets',
      `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '1\r\n \r\n',
    ),
  ]);
});
afterAll(() => service.close());

const pet = { name: 'Rex', categoryId: 5 };
const operations = {
  listPets: { method: 'GET', target: '/v1/pets' },
  createPet: { method: 'POST', target: '/v1/pets', body: pet },
  getPet: { method: 'GET', target: '/v1/pets/1' },
};
const ids = ['listPets', 'createPet', 'getPet'] as const;

/** Begins a request; `drip` goes on arriving, a little each second. */
async function stall(method: string, target: string, begin: string, drip?: string) {
  const socket = await open(service.url);
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${begin}`);
  const timer = setInterval(() => drip !== undefined && socket.writable && socket.write(drip), 1_000);
  return { method, target, replies: readReplies(socket).finally(() => clearInterval(timer)) };
}

const ask = (id: (typeof ids)[number], asked: Asked = {}) => {
  const { method, target, ...rest } = operations[id];
  return service.ask(method, target, { key, ...rest, ...asked });
};

test.each(ids)('%s: success', async (id) => {
  expect((await ask(id)).status).toBeLessThan(300);
});

test('400', async () => {
  expect((await service.ask('GET', '/v1/pets?limit=0', { key })).status).toBe(400);
  expect((await service.ask('GET', '/v1/pets/x', { key })).status).toBe(400);
  expect((await ask('createPet', { body: {} })).status).toBe(400);
});

test.each(ids)('%s: 401', async (id) => {
  expect((await ask(id, { key: 'wrong' })).status).toBe(401);
});

test('404', async () => {
  expect((await service.ask('GET', '/v1/pets/0', { key })).status).toBe(404);
});

test('410', async () => {
  service.setClock('2030-12-05T00:00:00Z');
  expect((await ask('getPet')).status).toBe(410);
  service.setClock(new Date().toISOString());
});

test('413', async () => {
  expect((await ask('createPet', { body: 'x'.repeat(65_537) })).status).toBe(413);
});

test('415', async () => {
  expect((await ask('createPet', { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
});

test.each(ids)('%s: 429', async (id) => {
  expect((await ask(id, { key: exhausted })).status).toBe(429);
});

test.each(ids)('%s: 431', async (id) => {
  const { method, target } = operations[id];
  const [reply] = await sendRaw(
    service.url,
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(16_384)}\r\n\r\n`,
  );
  checker.check(method, target, reply as Reply);
  expect(reply?.status).toBe(431);
});

test.each(ids)('%s: 500, which tells nothing of what is broken but to the log', async (id) => {
  await service.database.query('alter table pets rename column id to number');
  const reply = await ask(id);
  await service.database.query('alter table pets rename column number to id');
  expect(reply.json).toEqual({
    code: 'internal_error',
    message: expect.not.stringMatching(/name|number|column|pets|sql/i),
    status: 500,
  });
  const lines = service.log.filter((line) => line.includes(`"${reply.headers.get('x-request-id')}"`));
  expect(lines).toEqual([expect.stringContaining('column')]);
  expect((await ask(id)).status).toBeLessThan(300);
});

test('503, for as long as the database hangs, and not longer', async () => {
  await service.database.query('begin');
  await service.database.query('lock table api_keys');
  const replies = await Promise.all(ids.map((id) => ask(id)));
  await service.database.query('rollback');
  for (const { status, json, headers } of replies) {
    expect(status).toBe(503);
    expect(json).toMatchObject({ code: 'service_unavailable' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  }
  for (const id of ids) expect((await ask(id)).status).toBeLessThan(300);
});

test('408 for a request that stops or drips, in its headers or in its body, and the connection closes', async () => {
  for (const { method, target, replies } of stalled) {
    const [reply, ...more] = await replies;
    checker.check(method, target, reply as Reply);
    expect(reply?.status).toBe(408);
    expect(reply?.headers.get('connection')).toBe('close');
    expect(more).toEqual([]);
  }
  // Nothing of the bodies that never came.
  expect(await service.database.query("select 1 from pets where name <> 'Rex'")).toEqual([]);
});

test('every documented operation and status has occurred by now', () => {
  const documented = [...service.contract.operations.values()].flatMap(({ id, responses }) =>
    [...responses.keys()].map((status) => `${id} ${status}`),
  );
  expect([...new Set([...service.seen, ...checker.seen])].sort()).toEqual(documented.sort());
});
