import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Reply, replyChecker } from '../replies.ts';
import { type Service, startService } from '../service.ts';
import { open, readReplies, sendRaw } from './raw.ts';

let service: Service;
let key: string;
let check: ReturnType<typeof replyChecker>['check'];

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
  ({ check } = replyChecker(service.contract));
});
afterAll(() => service.close());

const body = '{"name":"Rex","categoryId":5}';
const stored = async () =>
  (await service.database.query<{ pets: number }>('select count(*)::int as pets from pets'))[0]?.pets;
const get = (target: string, ...headers: string[]) => raw('GET', target, headers, '');
const post = (headers: string[], sent: string) =>
  raw('POST', '/v1/pets', ['Content-Type: application/json', ...headers], sent);
/** `KEY` is replaced when the request is sent: the tables below are made before there is one. */
const raw = (method: string, target: string, headers: string[], sent: string) =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    'Authorization: Bearer KEY',
    ...headers,
    '',
    sent,
  ].join('\r\n');
const chunks = (...parts: string[]) => parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');

/** What the whole table expects of an answer to something that may be no HTTP at all. */
function expectError(reply: Reply | undefined, status: number, code: string): void {
  expect(reply?.status).toBe(status);
  expect(JSON.parse(reply?.text ?? '')).toEqual({ code, message: expect.any(String), status });
  expect(reply?.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(reply?.headers.get('content-length')).toBe(`${Buffer.byteLength(reply?.text ?? '')}`);
  expect(reply?.headers.get('x-request-id')).toBeTruthy();
}

describe('what is no HTTP/1.1 gets the Error body, and the connection closes:', () => {
  let before: number | undefined;
  beforeEach(async () => {
    before = await stored();
  });

  test.each<[string, string | Uint8Array, number, string]>([
    ['a word', 'hello\r\n\r\n', 400, 'invalid_request'],
    ['TLS', Buffer.from('160301020001000001fc0303', 'hex'), 400, 'invalid_request'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request'],
    ['another version', 'GET /v1/pets HTTP/3.0\r\nHost: localhost\r\n\r\n', 400, 'invalid_request'],
    ['an unknown method', raw('FETCH', '/v1/pets', [], ''), 400, 'invalid_request'],
    ['a method in small letters', raw('get', '/v1/pets', [], ''), 400, 'invalid_request'],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 400, 'invalid_request'],
    ['CONNECT of a path', raw('CONNECT', '/v1/pets', [], ''), 400, 'invalid_request'],
    [
      'no Host',
      'GET /v1/pets HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer KEY\r\n\r\n',
      400,
      'invalid_request',
    ],
    ['two Hosts', get('/v1/pets', 'host: other'), 400, 'invalid_request'],
    ['a blank in the address', get('/v1/pets /x'), 400, 'invalid_request'],
    ['bytes in the address', Buffer.from(get('/v1/pets/\xff'), 'latin1'), 400, 'invalid_request'],
    ['a header with a blank in its name', get('/v1/pets', 'X Y: z'), 400, 'invalid_request'],
    ['a header with U+0000', get('/v1/pets', 'X: \0'), 400, 'invalid_request'],
    ['a header on two lines', get('/v1/pets', 'X: y', ' z'), 400, 'invalid_request'],
    ['lines without CR', get('/v1/pets').replaceAll('\r', ''), 400, 'invalid_request'],
    ['headers over 16 KiB', get('/v1/pets', `X: ${'x'.repeat(16_384)}`), 431, 'headers_too_large'],
    ['an address over 16 KiB', get(`/v1/pets?x=${'x'.repeat(16_384)}`), 431, 'headers_too_large'],
    ['a Content-Length in words', post(['Content-Length: five'], body), 400, 'invalid_request'],
    ['a negative Content-Length', post(['Content-Length: -29'], body), 400, 'invalid_request'],
    ['an endless Content-Length', post([`Content-Length: ${'9'.repeat(30)}`], body), 400, 'invalid_request'],
    ['two Content-Lengths', post(['Content-Length: 29', 'Content-Length: 30'], body), 400, 'invalid_request'],
    [
      'a Content-Length and chunks',
      post(['Content-Length: 29', 'Transfer-Encoding: chunked'], `${chunks(body)}0\r\n\r\n`),
      400,
      'invalid_request',
    ],
    ['a transfer coding without chunks', post(['Transfer-Encoding: gzip'], body), 400, 'invalid_request'],
    ['a chunk without a length', post(['Transfer-Encoding: chunked'], `zz\r\n${body}`), 400, 'invalid_request'],
    ['a chunk that is too long', post(['Transfer-Encoding: chunked'], `5\r\n${body}`), 400, 'invalid_request'],
    [
      'a good chunk and then a bad one',
      post(['Transfer-Encoding: chunked'], `${chunks(body)}zz\r\n`),
      400,
      'invalid_request',
    ],
    [
      'chunk extensions without end',
      post(['Transfer-Encoding: chunked'], `1d;${'x'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`),
      413,
      'payload_too_large',
    ],
    [
      'trailers over 16 KiB',
      post(['Transfer-Encoding: chunked'], `${chunks(body)}0\r\nX: ${'x'.repeat(16_384)}\r\n\r\n`),
      431,
      'headers_too_large',
    ],
  ])('%s', async (_, bytes, status, code) => {
    const sent = typeof bytes === 'string' ? bytes.replace('KEY', key) : bytes;
    const [reply, ...more] = await sendRaw(service.url, sent);
    expectError(reply, status, code);
    expect(more).toEqual([]);
    expect(reply?.headers.get('connection')).toBe('close');
    // It speaks of the caller's address, as every answer under /v1 without a valid key.
    check('GET', '/v1', reply as Reply);
    expect(reply?.headers.get('ratelimit-policy')).toBe('"minute";q=300;w=60, "day";q=10000;w=86400');
    expect(await stored()).toBe(before);
  });
});

describe('what is odd but HTTP is answered as ever:', () => {
  test.each<[string, string, number[]]>([
    ['HTTP/1.0 without Host', 'GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer KEY\r\n\r\n', [200]],
    ['an address with a server in it', get('http://localhost/v1/pets'), [200]],
    ['a body with GET, which is not read', get('/v1/pets', 'Content-Length: 5').concat('hello'), [200]],
    ['an offer of another protocol', get('/v1/pets', 'Upgrade: h2c'), [200]],
    ['chunks', post(['Transfer-Encoding: chunked'], `${chunks('{"name":', '"Rex","categoryId":5}')}0\r\n\r\n`), [201]],
    ['Expect: 100-continue', post(['Content-Length: 29', 'Expect: 100-continue'], body), [100, 201]],
    ['Expect of something else', post(['Content-Length: 29', 'Expect: 200-ok'], body), [201]],
    [
      'two requests at once',
      get('/v1/pets').replace('Connection: close\r\n', '') + get('/v1/pets/x').replace('KEY', 'x'),
      [200, 401],
    ],
    ['a Content-Length that is too small, for a body of that length', post(['Content-Length: 5'], body), [400]],
    [
      'a create with CONNECT behind it, which has to wait',
      `${post(['Content-Length: 29'], body).replace('Connection: close\r\n', '')}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`,
      [201, 400],
    ],
    [
      'a create with garbage behind it, which has to wait',
      `${post(['Content-Length: 29'], body).replace('Connection: close\r\n', '')}garbage\r\n\r\n`,
      [201, 400],
    ],
    [
      'a list with garbage behind it, which has to wait',
      `${get('/v1/pets').replace('Connection: close\r\n', '')}garbage\r\n\r\n`,
      [200, 400],
    ],
  ])('%s', async (_, bytes, statuses) => {
    const replies = await sendRaw(service.url, bytes.replace('KEY', key));
    expect(replies.map(({ status }) => status)).toEqual(statuses);
  });

  test('a body that is too large is refused before it has come', async () => {
    const socket = await open(service.url);
    socket.write(post(['Content-Length: 65537'], body).replace('KEY', key));
    expectError((await readReplies(socket))[0], 413, 'payload_too_large');
  });
});

describe('an address that is no URI is a 400:', () => {
  test.each([
    '/v1/%',
    '/v1/%zz',
    '/v1/%ff',
    '/v1/%c0%af',
    '/v1/pets/%',
    '/v1/pets/%zz',
    '/v1/pets/%E0%A4%A',
    '/%',
    '/livez%',
  ])('%s', async (path) => {
    const reply = await service.ask('GET', path, { key });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ code: 'invalid_request' });
  });

  test('past the quota of the address it is a 429', async () => {
    const from = '127.0.0.41';
    const ask = () => service.ask('GET', '/v1/%zz', { from });
    for (let used = 0; used < 300; used += 50) await Promise.all(Array.from({ length: 50 }, ask));
    // At the turn of the minute the quota begins anew.
    await vi.waitFor(async () => expect((await ask()).json).toMatchObject({ code: 'rate_limit_exceeded' }), {
      timeout: 20_000,
      interval: 0,
    });
  });
});

describe('a path that does not exist is a 404, and the caller’s address pays where it lies under /v1:', () => {
  test.each([
    ['/', false],
    ['/v2/pets', false],
    ['/V1/pets', false],
    ['//v1/pets', false],
    ['/v1x', false],
    ['/pets', false],
    ['/v1', true],
    ['/v1/', true],
    ['/v1?x', true],
    ['/v1/Pets', true],
    ['/v1/animals', true],
    ['/v1/pets%2F1', true],
    ['/v1/pets/1/x', true],
    ['/v1/pets;x', true],
    ['/v1/pets%5C1', true],
    ['/%761/animals', true],
    ['http://localhost/v1/animals', true],
  ])('%s', async (path, ours) => {
    const reply = await service.ask('GET', path, { key });
    expect(reply.json).toEqual({ code: 'not_found', message: expect.any(String), status: 404 });
    expect(reply.headers.get('x-ratelimit-limit')).toBe(ours ? '300' : null);
  });
});

test('garbage behind a whole request does not hide its answer', async () => {
  const before = (await stored()) ?? 0;
  const socket = await open(service.url);
  const request = post([`Content-Length: ${body.length}`], body)
    .replace('Connection: close\r\n', '')
    .replace('KEY', key);
  await service.database.query('begin');
  await service.database.query('lock table pets in exclusive mode');
  socket.write(request);
  // The animal is on its way into the table, and waits for the lock.
  await vi.waitFor(async () => {
    const waiting = await service.database.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into pets%'",
    );
    expect(waiting).toHaveLength(1);
  });
  socket.write('garbage\r\n\r\n');
  await new Promise((resolve) => setImmediate(resolve));
  await service.database.query('commit');
  const [reply, ...more] = await readReplies(socket);
  expect(reply?.status).toBe(201);
  expect(more.map(({ status }) => status)).toEqual([400]);
  expect(await stored()).toBe(before + 1);
});

test('a caller who goes away in the middle of a body leaves nothing behind', async () => {
  const before = await stored();
  const socket = await open(service.url);
  socket.write(post(['Content-Length: 29'], body.slice(0, 10)).replace('KEY', key));
  await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0));
  socket.destroy();
  expect((await service.ask('GET', '/v1/pets', { key })).status).toBe(200);
  expect(await stored()).toBe(before);
});

test('the server is as well as before', async () => {
  expect((await service.ask('GET', '/livez')).status).toBe(200);
  expect((await service.ask('POST', '/v1/pets', { key, body })).status).toBe(201);
  expect(service.log.filter((line) => line.includes('"level":50'))).toEqual([]);
});
