import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { type Service, startService } from '../service.ts';
import { sendRaw } from './raw.ts';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const list = (authorization: string) => service.ask('GET', '/v1/pets', { headers: { authorization } });
const missing = { code: 'missing_api_key', challenge: 'Bearer realm="animal-store"' };
const invalid = { code: 'invalid_api_key', challenge: 'Bearer realm="animal-store", error="invalid_token"' };

async function refusal(reply: ReturnType<Service['ask']>) {
  const { status, json, headers } = await reply;
  expect(status).toBe(401);
  return { code: Object(json).code, challenge: headers.get('www-authenticate') };
}

describe('401 without an error in the challenge (RFC 6750, section 3.1), for no bearer key:', () => {
  test('no Authorization', async () => {
    expect(await refusal(service.ask('GET', '/v1/pets'))).toEqual(missing);
  });

  test.each([
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and blanks', () => 'Bearer   '],
    ['the key alone', () => key],
    ['Basic', () => `Basic ${key}`],
    ['Basic, in base64', () => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['Token', () => `Token ${key}`],
    ['no blank', () => `Bearer${key}`],
    ['nothing', () => ''],
  ])('%s', async (_, authorization) => {
    expect(await refusal(list(authorization()))).toEqual(missing);
  });

  test.each([
    ['in the query', () => ({ path: `/v1/pets?access_token=${key}&api_key=${key}&apiKey=${key}`, headers: {} })],
    [
      'in another header',
      () => ({ path: '/v1/pets', headers: { 'x-api-key': key, 'proxy-authorization': `Bearer ${key}` } }),
    ],
    ['in a cookie', () => ({ path: '/v1/pets', headers: { cookie: `apiKey=${key}` } })],
    ['in the address', () => ({ path: `http://${key}@localhost/v1/pets`, headers: {} })],
  ])('a key %s', async (_, asked) => {
    const { path, headers } = asked();
    expect(await refusal(service.ask('GET', path, { headers }))).toEqual(missing);
  });
});

describe('401 with error="invalid_token", for a key that is not valid:', () => {
  test.each([
    ['unknown', () => mint().key],
    ['another form', () => 'letmein'],
    ['a wrong checksum', () => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
    ['small letters', () => `${key.toLowerCase()}x`],
    ['in quotes', () => `"${key}"`],
    ['with more behind a blank', () => `${key} x`],
    ['with more behind a comma', () => `${key}, Basic x`],
    ['twice', () => `${key}${key}`],
    ['very long', () => 'x'.repeat(12_000)],
    ['not ASCII', () => `ast_live_${'\u00e9'.repeat(38)}`],
  ])('%s', async (_, given) => {
    expect(await refusal(list(`Bearer ${given()}`))).toEqual(invalid);
  });

  test('revoked, from the next request on', async () => {
    const { key: own, stored } = await service.newKey();
    expect((await list(`Bearer ${own}`)).status).toBe(200);
    await service.operator.keys.revoke({ id: stored.id });
    expect(await refusal(list(`Bearer ${own}`))).toEqual(invalid);
  });

  test('expired, by the database’s clock', async () => {
    const { key: own } = await service.newKey(undefined, { expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await list(`Bearer ${own}`)).status).toBe(200);
    await service.database.setClock(Date.now() + 3_600_001);
    try {
      expect(await refusal(list(`Bearer ${own}`))).toEqual(invalid);
    } finally {
      await service.database.setClock(Date.now());
    }
  });

  test('and no two of these can be told apart', async () => {
    const { key: revoked, stored } = await service.newKey();
    await service.operator.keys.revoke({ id: stored.id });
    const texts = await Promise.all(
      [revoked, mint().key, 'letmein'].map(async (given) => (await list(`Bearer ${given}`)).text),
    );
    expect(new Set(texts).size).toBe(1);
  });
});

describe('a key is taken', () => {
  test.each([
    ['with the scheme in any case', () => `bEARER ${key}`],
    ['with blanks before it', () => `Bearer   ${key}`],
    ['with blanks around the header', () => `  Bearer ${key}  `],
  ])('%s', async (_, authorization) => {
    expect((await list(authorization())).status).toBe(200);
  });
});

test('every operation asks for a key, and for nothing else', async () => {
  for (const { method, path } of service.contract.operations.values()) {
    const target = service.contract.basePath + path.replaceAll(/\{\w+\}/g, '1');
    expect(await refusal(service.ask(method.toUpperCase(), target))).toEqual(missing);
    expect((await service.ask(method.toUpperCase(), target, { key })).status).not.toBe(401);
  }
});

test('no key is ever in the log', async () => {
  const { key: own } = await service.newKey();
  await list(`Bearer ${own}`);
  await service.ask('GET', `/v1/pets?limit=0&api_key=${own}`, { key: own });
  await service.ask('POST', '/v1/pets', { key: own, body: `{"key":"${own}"` });
  expect(service.log.length).toBeGreaterThan(0);
  expect(service.log.filter((line) => line.includes(own) || line.includes('ast_live_'))).toEqual([]);
});

test('of several requests on one connection each is judged by the key of its own', async () => {
  const [one, two] = [await service.newKey(), await service.newKey()];
  await service.operator.keys.revoke(two.stored);
  const get = (authorization: string) => `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`;
  const of = (sent: string) => `Authorization: Bearer ${sent}\r\n`;
  const replies = await sendRaw(
    service.url,
    [of(one.key), of(one.key), of(two.key), '', of(`${one.key}x`), of(one.key)].map(get).join('') +
      get('Connection: close\r\n'),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 401, 401, 401, 200, 401]);
});
