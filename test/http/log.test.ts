import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprint, mint } from '../../src/apiKey.ts';
import { type Service, startService } from '../service.ts';
import { open } from './raw.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const lines = () =>
  service.log.map((line): Record<string, unknown> => JSON.parse(line)).filter((line) => 'requestId' in line);
const lineOf = (reply: { headers: Headers }) =>
  lines().filter(({ requestId }) => requestId === reply.headers.get('x-request-id'));

test('one line for each request: its id, operation, key, status and time', async () => {
  const { key, stored } = await service.newKey();
  const before = Date.now();
  const reply = await service.ask('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 5 } });
  expect(lineOf(reply)).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      requestId: reply.headers.get('x-request-id'),
      method: 'POST',
      operationId: 'createPet',
      keyId: stored.id,
      status: 201,
      ms: expect.any(Number),
    },
  ]);
  const [{ time, ms }] = lineOf(reply) as [{ time: number; ms: number }];
  expect(Math.abs(time - before)).toBeLessThan(10_000);
  expect(ms).toBeGreaterThan(0);
});

test.each([
  ['GET', '/livez', {}, { operationId: null, keyId: null, status: 200 }],
  ['GET', '/v1/nothing?secret=geheim', {}, { operationId: null, keyId: null, status: 404, code: 'not_found' }],
  ['PUT', '/v1/pets', {}, { method: 'PUT', operationId: null, keyId: null, status: 405, code: 'method_not_allowed' }],
  ['GET', '/v1/pets', {}, { operationId: 'listPets', keyId: null, status: 401, code: 'missing_api_key' }],
  [
    'GET',
    '/v1/pets',
    { key: mint().key },
    { operationId: 'listPets', keyId: null, status: 401, code: 'invalid_api_key' },
  ],
] as const)('%s %s with %j is told as %j', async (method, path, asked, told) => {
  const found = lineOf(await service.ask(method, path, asked));
  expect(found).toMatchObject([{ level: 30, ...told }]);
});

test('a request whose caller left before the answer is told, and measured, as any other', async () => {
  const { key, stored } = await service.newKey();
  // Its answer waits for this transaction to end.
  await service.database.query('begin; lock table pets');
  const caller = await open(service.url);
  const body = '{"name":"Rex","categoryId":5}';
  caller.write(
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => service.store.pets.unanswered).toBe(1);
  caller.destroy();
  await once(caller, 'close');
  await service.database.query('commit');
  await expect
    .poll(() => lines().filter(({ keyId }) => keyId === stored.id))
    .toMatchObject([{ operationId: 'createPet', status: 201 }]);
  const { text } = await service.ask('GET', '/metrics');
  expect(text).toContain('http_requests_total{operation="createPet",status="201"} 2\n');
});

test('a 5xx is told once, as an error, with what lay behind it, and its caller is told nothing of that', async () => {
  const { key, stored } = await service.newKey();
  await service.database.query('alter table pets rename to hidden');
  const reply = await service.ask('GET', '/v1/pets', { key });
  await service.database.query('alter table hidden rename to pets');
  expect(reply).toMatchObject({ status: 500, json: { code: 'internal_error' } });
  expect(reply.text).not.toContain('relation');
  expect(lineOf(reply)).toMatchObject([
    {
      level: 50,
      operationId: 'listPets',
      keyId: stored.id,
      status: 500,
      code: 'internal_error',
      err: { message: 'relation "pets" does not exist', code: '42P01', stack: expect.any(String) },
    },
  ]);
  expect(service.log.filter((line) => line.includes('does not exist'))).toHaveLength(1);
});

test('no line holds a key, whether it is good, bad, or in the wrong place, nor a fingerprint, nor the database’s password', async () => {
  const good = await service.newKey();
  const unknown = mint();
  const secrets = [
    good.key,
    unknown.key,
    fingerprint(good.key),
    unknown.fingerprint,
    new URL(service.database.url).password,
  ];
  const lengthBefore = lines().length;
  const requests = [
    service.ask('GET', '/v1/pets', { key: good.key }),
    service.ask('GET', '/v1/pets', { key: unknown.key }),
    service.ask('GET', `/v1/pets?key=${good.key}`, { key: good.key }),
    service.ask('GET', `/v1/${good.key}`),
    service.ask('GET', `/v1/pets/${good.key}`, { key: good.key }),
    service.ask('GET', '/v1/pets', { headers: { authorization: `Basic ${good.key}` } }),
    service.ask('POST', '/v1/pets', { key: good.key, body: { name: good.key } }),
    service.ask('GET', '/livez', { headers: { 'x-request-id': good.key, 'user-agent': good.key } }),
  ];
  const replies = await Promise.all(requests);
  expect(lines().length).toBe(lengthBefore + replies.length);
  for (const secret of secrets)
    expect(service.log.filter((line) => secret !== null && line.includes(secret))).toEqual([]);
});
