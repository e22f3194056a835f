import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRemoved } from '../../src/http/deprecation.ts';
import { type Service, startService } from '../service.ts';

// Of openapi.yaml: x-deprecated-at 2026-11-20, x-sunset 2030-12-05.
const deprecation = `@${Date.UTC(2026, 10, 20) / 1000}`;
const sunset = 'Thu, 05 Dec 2030 00:00:00 GMT';
const link = '</v1/pets>; rel="successor-version"';
const before = '2030-12-04T23:59:00Z';
const removal = '2030-12-05T00:00:00Z';

let service: Service;
let key: string;
let exhausted: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
  ({ key: exhausted } = await service.newKey({ plan: 'enterprise', custom: { perMinute: 1, perDay: 1 } }));
  await service.ask('GET', '/v1/pets', { key: exhausted });
  await service.ask('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 5 } });
});
afterAll(() => service.close());

const signs = (headers: Headers) => ({
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
  link: headers.get('link'),
});

const requests: readonly (readonly [
  status: number,
  asked: string,
  method: string,
  path: string,
  key: () => string | undefined,
])[] = [
  [200, 'an animal', 'GET', '/v1/pets/1', () => key],
  [200, 'its headers alone', 'HEAD', '/v1/pets/1', () => key],
  [400, 'a wrong parameter', 'GET', '/v1/pets/x', () => key],
  [404, 'no such animal', 'GET', '/v1/pets/0', () => key],
  [401, 'no key', 'GET', '/v1/pets/1', () => undefined],
  [401, 'a wrong key', 'GET', '/v1/pets/1', () => 'wrong'],
  [429, 'a quota that is used up', 'GET', '/v1/pets/1', () => exhausted],
];

const ask = (method: string, path: string, given: string | undefined) =>
  service.ask(method, path, given === undefined ? {} : { key: given });

describe('until its removal a deprecated operation answers as ever, and every answer says when it ends:', () => {
  test.each(requests)('%i for %s', async (status, _, method, path, given) => {
    service.setClock(before);
    const reply = await ask(method, path, given());
    expect(reply.status).toBe(status);
    expect(signs(reply.headers)).toEqual({ deprecation, sunset, link });
  });
});

describe('from the first instant of that day on', () => {
  test.each(requests.filter(([status]) => status !== 401 && status !== 429))(
    'it is 410 instead of %i for %s, without Deprecation',
    async (_, __, method, path, given) => {
      service.setClock(removal);
      const reply = await ask(method, path, given());
      expect(reply.status).toBe(410);
      if (method !== 'HEAD')
        expect(reply.json).toEqual({
          code: 'operation_removed',
          message: expect.stringMatching(/getPet.*2030-12-05.*listPets/),
          status: 410,
        });
      expect(signs(reply.headers)).toEqual({ deprecation: null, sunset, link });
    },
  );

  test.each(requests.filter(([status]) => status === 401 || status === 429))(
    'it is still %i for %s',
    async (status, _, method, path, given) => {
      service.setClock(removal);
      const reply = await ask(method, path, given());
      expect(reply.status).toBe(status);
      expect(signs(reply.headers)).toMatchObject({ sunset, link });
    },
  );

  test('and for good', async () => {
    service.setClock('2040-01-01T00:00:00Z');
    expect((await ask('GET', '/v1/pets/1', key)).status).toBe(410);
  });
});

test('the instant is exact', () => {
  const operation = service.contract.operations.get('getPet')?.deprecation ?? null;
  expect(isRemoved(operation, Date.parse(removal) - 1)).toBe(false);
  expect(isRemoved(operation, Date.parse(removal))).toBe(true);
  expect(isRemoved(null, Date.parse(removal))).toBe(false);
});

test('a new animal has a Location as long as there is an operation to get it', async () => {
  const create = async () =>
    (await service.ask('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 5 } })).headers.get('location');
  service.setClock(before);
  expect(await create()).toMatch(/^\/v1\/pets\/\d+$/);
  service.setClock(removal);
  expect(await create()).toBeNull();
});

test('operations that are not deprecated say nothing of it', async () => {
  const { headers } = await service.ask('GET', '/v1/pets', { key });
  expect(signs(headers)).toEqual({ deprecation: null, sunset: null, link: null });
});

test('the dates and the successor are the document’s', async () => {
  const other = await startService({
    edit: (yaml) =>
      yaml
        .replace("'2026-11-20'", "'2025-01-02'")
        .replace("'2030-12-05'", "'2027-03-04'")
        .replace('x-replaced-by: listPets', 'x-replaced-by: createPet'),
  });
  try {
    const { key: own } = await other.newKey();
    other.setClock('2027-03-03T23:59:00Z');
    const reply = await other.ask('GET', '/v1/pets/1', { key: own });
    expect(signs(reply.headers)).toEqual({
      deprecation: `@${Date.UTC(2025, 0, 2) / 1000}`,
      sunset: 'Thu, 04 Mar 2027 00:00:00 GMT',
      link,
    });
    other.setClock('2027-03-04T00:00:00Z');
    expect((await other.ask('GET', '/v1/pets/1', { key: own })).json).toMatchObject({
      message: expect.stringMatching(/2027-03-04.*createPet/),
    });
  } finally {
    await other.close();
  }
});
