import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

let service: Service;
let key: string;
let place: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
  place =
    (await service.ask('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 5 } })).headers.get('location') ??
    '';
});
afterAll(() => service.close());

const origin = { origin: 'https://shop.example' };
const list = (value: string | null) => (value ?? '').split(',').map((part) => part.trim().toLowerCase());

describe('HEAD answers as GET does, without the body:', () => {
  test.each([
    ['a page', () => '/v1/pets', true],
    ['an animal', () => place, true],
    ['no such animal', () => '/v1/pets/0', true],
    ['a wrong parameter', () => '/v1/pets?limit=0', true],
    ['no key', () => '/v1/pets', false],
    ['no such path', () => '/v1/animals', true],
    ['the document', () => '/openapi.json', false],
    ['liveness', () => '/livez', false],
    ['readiness', () => '/readyz', false],
  ])('%s', async (_, path, withKey) => {
    const asked = withKey ? { key } : {};
    const get = await service.ask('GET', path(), asked);
    const head = await service.ask('HEAD', path(), asked);
    expect(head.status).toBe(get.status);
    expect(head.text).toBe('');
    const changing = /^(date|x-request-id|x-ratelimit-.*|ratelimit|connection)$/;
    const stable = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => !changing.test(name)));
    expect(stable(head.headers)).toEqual(stable(get.headers));
    expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
  });
});

const paths: readonly (readonly [string, string])[] = [
  ['/v1/pets', 'GET, POST, HEAD, OPTIONS'],
  ['/v1/pets/1', 'GET, HEAD, OPTIONS'],
  ['/v1/pets/none', 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/openapi.yaml', 'GET, HEAD, OPTIONS'],
  ['/docs', 'GET, HEAD, OPTIONS'],
  ['/livez', 'GET, HEAD, OPTIONS'],
  ['/readyz', 'GET, HEAD, OPTIONS'],
  ['/metrics', 'GET, HEAD, OPTIONS'],
];

describe('OPTIONS', () => {
  test.each(paths)('on %s is 204 and allows %s, without a key', async (path, allow) => {
    const reply = await service.ask('OPTIONS', path);
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers.get('allow')).toBe(allow);
  });

  test('takes nothing from the quota of the address', async () => {
    const left = async () =>
      (await service.ask('OPTIONS', '/v1/pets', { from: '127.0.0.21' })).headers.get('x-ratelimit-remaining');
    expect(await left()).toBe(await left());
  });

  test('on a path that does not exist is a 404', async () => {
    expect((await service.ask('OPTIONS', '/v1/animals')).status).toBe(404);
  });
});

describe('405', () => {
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'].includes(method));

  test.each(paths)('with Allow, on %s, for every method that it does not have', async (path, allow) => {
    const from = `127.0.0.${30 + paths.findIndex(([name]) => name === path)}`;
    for (const method of allow.includes('POST') ? others : [...others, 'POST']) {
      const reply = await service.ask(method, path, { key, from });
      expect(reply.json, method).toEqual({
        code: 'method_not_allowed',
        message: expect.stringContaining(allow),
        status: 405,
      });
      expect(reply.headers.get('allow'), method).toBe(allow);
    }
  });

  test('whatever the body is', async () => {
    for (const body of ['', '{', 'x'.repeat(70_000)])
      expect(
        (await service.ask('PUT', '/v1/pets', { key, body, headers: { 'content-type': 'text/plain' } })).status,
      ).toBe(405);
  });
});

describe('a slash more is another path:', () => {
  test.each([
    '/v1/pets/',
    '/v1//pets',
    '/v1/pets//',
    '//v1/pets',
    '/v1/pets/1/',
    '/v1/pets//1',
    '/livez/',
    '//livez',
    '/openapi.json/',
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS'])
      expect((await service.ask(method, path, { key })).status, method).toBe(404);
  });
});

describe('a script of another origin', () => {
  test('may ask for any operation with its key', async () => {
    const preflight = {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const reply = await service.ask('OPTIONS', '/v1/pets', { headers: preflight });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(list(reply.headers.get('access-control-allow-methods'))).toEqual(expect.arrayContaining(['get', 'post']));
    expect(list(reply.headers.get('access-control-allow-headers'))).toEqual(['authorization', 'content-type']);
    expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test.each([
    ['a page', 'GET', '/v1/pets', true],
    ['an animal', 'GET', '/v1/pets/1', true],
    ['a wrong body', 'POST', '/v1/pets', true],
    ['no key', 'GET', '/v1/pets', false],
    ['no such path', 'GET', '/v1/animals', true],
    ['no such method', 'PUT', '/v1/pets', true],
    ['an address that is no URI', 'GET', '/v1/%', true],
  ])('may read every header of the answer: %s', async (_, method, path, withKey) => {
    const { headers } = await service.ask(method, path, { ...(withKey ? { key } : {}), headers: origin });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const readable = list(headers.get('access-control-expose-headers'));
    const simple = /^(content-(type|length)|date|connection|keep-alive|vary|access-control-.*)$/;
    for (const name of headers.keys()) if (!simple.test(name)) expect(readable).toContain(name);
  });

  test('and who is none is told nothing about it', async () => {
    expect(
      [...(await service.ask('GET', '/v1/pets', { key })).headers.keys()].filter((name) =>
        name.startsWith('access-control'),
      ),
    ).toEqual([]);
  });
});
