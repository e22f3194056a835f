import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';
import { sendRaw } from './raw.ts';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const stored = async () =>
  (await service.database.query<{ pets: number }>('select count(*)::int as pets from pets'))[0]?.pets;
const create = (body: unknown, headers = {}) => service.ask('POST', '/v1/pets', { key, body, headers });
const pet = (more: string) => `{"name":"Rex","categoryId":5${more}}`;
const named = (name: string) => `{"name":${name},"categoryId":5}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a body that breaks the contract is a 400 that names the place, and nothing is stored:', () => {
  afterEach(async () => {
    expect(await stored()).toBe(0);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'body is empty'],
    ['blanks', '  \n', 'body is not acceptable JSON'],
    ['no JSON', 'name=Rex', 'body is not acceptable JSON'],
    ['JSON that stops', pet('').slice(0, -1), 'body is not acceptable JSON'],
    ['more than JSON', `${pet('')}{}`, 'body is not acceptable JSON'],
    ['U+0000, which the message does not repeat', '\0', 'body is not acceptable JSON'],
    ['no JSON, which the message cuts within a character', `x${'😀'.repeat(30)}`, 'body is not acceptable JSON'],
    ['single quotes', "{'name':'Rex','categoryId':5}", 'body is not acceptable JSON'],
    ['a comment', `${pet('')}//`, 'body is not acceptable JSON'],
    ['a leading zero', '{"name":"Rex","categoryId":05}', 'body is not acceptable JSON'],
    ['a hexadecimal number', '{"name":"Rex","categoryId":0x5}', 'body is not acceptable JSON'],
    ['NaN', '{"name":"Rex","categoryId":NaN}', 'body is not acceptable JSON'],
    ...['null', '[]', '"Rex"', '5', 'true', `[${pet('')}]`].map((text): [string, string, string] => [
      `no object but ${text}`,
      text,
      'body must be object',
    ]),
    ['invalid UTF-8', Buffer.from(named('"\xff"'), 'latin1'), 'body is not valid UTF-8'],
    [
      'a surrogate in UTF-8',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('","categoryId":5}')]),
      'body is not valid UTF-8',
    ],
    ['UTF-16', Buffer.from(pet(''), 'utf16le'), 'body is not acceptable JSON'],
    ['65 levels', pet(`,"x":${nested(64)}`), 'deeper than 64 levels'],
    ['30,000 levels', nested(30_000), 'deeper than 64 levels'],
    ['60,000 levels that do not end', '['.repeat(60_000), 'deeper than 64 levels'],
    ['__proto__', pet(',"__proto__":{"a":1}'), 'forbidden prototype property'],
    ['__proto__ with nothing', pet(',"__proto__":null'), 'forbidden prototype property'],
    ['__proto__ further in', pet(',"x":[{"y":{"__proto__":{}}}]'), 'forbidden prototype property'],
    ['__proto__ in disguise', pet(',"\\u005f_proto_\\u005F":{}'), 'forbidden prototype property'],
    ['no name', '{"categoryId":5}', 'body/name is required'],
    ['no categoryId', '{"name":"Rex"}', 'body/categoryId is required'],
    ['an empty name', named('""'), 'body/name'],
    ['a name that is null', named('null'), 'body/name must be string'],
    ['a name that is a number', named('5'), 'body/name must be string'],
    ['a name that is a list', named('["Rex"]'), 'body/name must be string'],
    ['a name of 256 characters', named(`"${'x'.repeat(256)}"`), 'body/name'],
    ['a name of 256 characters outside the BMP', named(`"${'😀'.repeat(256)}"`), 'body/name'],
    ['a name with U+0000', named('"a\\u0000b"'), 'body/name must not contain U+0000'],
    ['half of a surrogate pair', named('"\\ud83d"'), 'body/name must not contain'],
    ['the other half', named('"\\ude00"'), 'body/name must not contain'],
    ['the halves in the wrong order', named('"\\ude00\\ud83d"'), 'body/name must not contain'],
    ['an unknown status', pet(',"status":"gone"'), 'body/status must be one of available, pending, sold'],
    ['a status in capitals', pet(',"status":"SOLD"'), 'body/status'],
    ['a status that is null', pet(',"status":null'), 'body/status'],
  ])('%s', async (_, body, message) => {
    const reply = await create(body, { 'content-type': 'application/json' });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
  });

  test('no body that is announced as JSON', async () => {
    const [reply] = await sendRaw(
      service.url,
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`,
    );
    expect(reply?.status).toBe(400);
    expect(reply?.text).toContain('body is empty');
  });

  test('several places, every one of which is named', async () => {
    const { json } = await create('{"name":"","categoryId":"5","status":"gone"}');
    for (const place of ['body/name', 'body/categoryId', 'body/status'])
      expect(json).toMatchObject({ message: expect.stringContaining(place) });
  });

  test('and Object.prototype is as it was', () => {
    expect(Reflect.ownKeys({})).toEqual([]);
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });
});

describe('a body in another form is a 415, and nothing is stored:', () => {
  const json = 'application/json';
  test.each([
    ['no Content-Type', { 'content-type': '' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', { 'content-type': 'text/plain' }],
    ['another JSON', { 'content-type': 'application/vnd.api+json' }],
    ['a longer name', { 'content-type': 'application/jsonx' }],
    ['two types', { 'content-type': `${json}, text/plain` }],
    ['UTF-16', { 'content-type': `${json}; charset=utf-16` }],
    ['Latin 1', { 'content-type': `${json};charset=ISO-8859-1` }],
    ['two charsets', { 'content-type': `${json}; charset=utf-8; charset=utf-16` }],
    ['a charset with blanks', { 'content-type': `${json}; charset = utf-16` }],
    ['gzip', { 'content-encoding': 'gzip' }],
    ['identity, which is no coding', { 'content-encoding': 'identity' }],
  ])('%s', async (_, headers) => {
    const reply = await create(pet(''), headers);
    expect(reply.status).toBe(415);
    expect(reply.json).toMatchObject({ code: 'unsupported_media_type' });
    expect(await stored()).toBe(0);
  });

  test('and so is no body and no Content-Type', async () => {
    expect((await service.ask('POST', '/v1/pets', { key })).status).toBe(415);
  });

  test('while no body with the right Content-Type is a 400', async () => {
    expect((await service.ask('POST', '/v1/pets', { key, headers: { 'content-type': json } })).status).toBe(400);
  });
});

describe('64 KiB', () => {
  const ofLength = (bytes: number) => pet(`,"x":"${'x'.repeat(bytes - pet(',"x":""').length)}"`);

  /** In chunks, so that the length shows at the end alone. */
  const createInChunks = async (body: string) => {
    const head = `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const [reply] = await sendRaw(
      service.url,
      `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );
    return { status: reply?.status, json: JSON.parse(reply?.text ?? '') };
  };

  test.each([
    ['with Content-Length', create],
    ['in chunks', createInChunks],
  ])('are taken, one byte more is a 413, %s', async (_, send) => {
    const before = (await stored()) ?? 0;
    expect((await send(ofLength(65_537))).json).toMatchObject({ code: 'payload_too_large' });
    expect(await stored()).toBe(before);
    expect((await send(ofLength(65_536))).status).toBe(201);
    expect(await stored()).toBe(before + 1);
  });
});

describe('a body is taken', () => {
  test.each<[string, string, Record<string, string>]>([
    ['with fields that nobody knows', pet(',"owner":{"name":"Ada"},"x":"\\u0000"'), {}],
    [
      'with constructor and prototype, which are such fields',
      pet(',"constructor":{"prototype":{"a":1}},"toString":1'),
      {},
    ],
    ['with 64 levels', pet(`,"x":${nested(63)}`), {}],
    ['with a byte order mark', `\ufeff${pet('')}`, {}],
    ['with the charset named', pet(''), { 'content-type': 'application/json; charset=UTF-8' }],
    ['with the charset in quotes', pet(''), { 'content-type': 'APPLICATION/JSON;charset="utf-8"' }],
    ['with another parameter', pet(''), { 'content-type': 'application/json; profile=x' }],
  ])('%s', async (_, body, headers) => {
    const reply = await create(body, headers);
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({ id: expect.any(Number), name: 'Rex', categoryId: 5, status: 'available' });
  });

  test.each([
    ['255 characters outside the BMP', '😀'.repeat(255)],
    ['control characters', '\u0001\u001f\u007f\u0085\u2028\u2029\n\t"\\/'],
    ['U+FFFD, U+FEFF and noncharacters', '\ufffd\ufeff\uffff'],
    ['a combining accent, not composed', 'e\u0301'],
    ['words of other tongues', 'Ребекка 猫 🐈‍⬛'],
    ['blanks alone', '  '],
    ['something like SQL', "'; drop table pets; --"],
    ['something like a prototype', '__proto__'],
  ])('with %s as the name, which comes back unchanged', async (_, name) => {
    const reply = await create({ name, categoryId: 5 });
    expect(reply.json).toMatchObject({ name });
    const { id } = Object(reply.json);
    expect((await service.ask('GET', `/v1/pets/${id}`, { key })).json).toMatchObject({ name });
  });
});

describe('a query parameter that breaks the contract is a 400 that names it:', () => {
  const decimals = [
    '',
    '05',
    '5.0',
    '1e1',
    '0x5',
    '%205',
    '5%20',
    '+5',
    '%2B5',
    '-0',
    '0',
    '-1',
    '101',
    '5%00',
    '%D9%A5',
    '%35.',
    'five',
    '9'.repeat(30),
    '%zz',
    '%ff',
    '5;',
  ];
  test.each<[string, string]>([
    ...decimals.map((text): [string, string] => [`limit=${text}`, 'query/limit']),
    ['limit', 'query/limit'],
    ['limit=5&limit=5', 'query/limit must be given once'],
    ['limit=5&limit=', 'query/limit must be given once'],
    ['li%6dit=5&limit=6', 'query/limit must be given once'],
    [`${'a=1&'.repeat(1_500)}limit=0`, 'query/limit'],
    ['status=', 'query/status'],
    ['status=gone', 'query/status must be one of available, pending, sold'],
    ['status=Sold', 'query/status'],
    ['status=sold,pending', 'query/status'],
    ['status=sold&status=pending', 'query/status must be given once'],
    ['status=sold%00', 'query/status'],
    ['cursor=', 'query/cursor'],
    ['cursor=x', 'query/cursor'],
    ['cursor=%00', 'query/cursor'],
    ['cursor=AAAAAAAAAAAAAAAA', 'query/cursor'],
    [`cursor=${'A'.repeat(65)}`, 'query/cursor'],
    ['cursor=a&cursor=a', 'query/cursor must be given once'],
  ])('%s', async (query, message) => {
    const reply = await service.ask('GET', `/v1/pets?${query}`, { key });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
  });

  test('several, every one of which is named', async () => {
    const { json } = await service.ask('GET', '/v1/pets?limit=0&status=gone', { key });
    expect(json).toMatchObject({ message: expect.stringMatching(/query\/limit.*query\/status/) });
  });

  test.each([
    '',
    '&',
    '=',
    '&&=&',
    'x=1',
    'LIMIT=500',
    'limit[]=500',
    '__proto__=1',
    'constructor=1',
    '__proto__[limit]=500',
    'x=%zz',
    'limit=%35',
    'petId=x',
  ])('while unknown ones are ignored: %s', async (query) => {
    expect((await service.ask('GET', `/v1/pets?${query}`, { key })).status).toBe(200);
  });
});

describe('a path parameter', () => {
  test.each([
    '05',
    '5.0',
    '5e0',
    '0x5',
    '+5',
    '-0',
    '%205',
    '5%20',
    '5%00',
    '%00',
    '5%2F',
    '%2F',
    'five',
    'null',
    '__proto__',
    'constructor',
    '5;a',
    '5,6',
    '5%0A',
    '*',
    ':petId',
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(9_000),
    '..',
    '%2e%2e',
  ])('%s is a 400 that names it', async (text) => {
    const reply = await service.ask('GET', `/v1/pets/${text}`, { key });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('path/petId') });
  });

  test.each(['9223372036854775807', '-9223372036854775808', '0', '-1', '9007199254740993'])(
    '%s is an int64, and no animal’s: 404',
    async (text) => {
      const reply = await service.ask('GET', `/v1/pets/${text}`, { key });
      expect(reply.json).toEqual({ code: 'not_found', message: expect.stringContaining(text), status: 404 });
    },
  );
});
