import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { Addresses, banned, limited, limitHeaders, network, unavailableHeaders } from '../../src/http/limit.ts';
import type { Usage } from '../../src/store/verdict.ts';
import { custom, day, freezeClock, minute, second, times } from '../limits/judge.ts';
import type { Reply } from '../replies.ts';
import { type Service, startService } from '../service.ts';

const now = Date.parse('2030-05-05T12:00:17.250Z');
const minuteEnd = Date.parse('2030-05-05T12:01:00Z');
const dayEnd = Date.parse('2030-05-06T00:00:00Z');
const usage = (minuteUsed: number, dayUsed: number): Usage => ({
  perMinute: 60,
  perDay: 1000,
  minuteUsed,
  dayUsed,
  minuteEnd,
  dayEnd,
  now,
});

describe('of two windows the headers show', () => {
  test.each([
    { rule: 'the one with fewer left: the minute', used: usage(1, 1), shown: [60, 59, minuteEnd] },
    { rule: 'the one with fewer left: the day', used: usage(10, 990), shown: [1000, 10, dayEnd] },
    { rule: 'on a tie the one that resets later', used: usage(20, 960), shown: [1000, 40, dayEnd] },
    { rule: 'the exhausted minute', used: usage(60, 700), shown: [60, 0, minuteEnd] },
    { rule: 'the day, where both are exhausted', used: usage(60, 1000), shown: [1000, 0, dayEnd] },
    {
      rule: 'never less than nothing, after a change to a smaller plan',
      used: usage(300, 999),
      shown: [60, 0, minuteEnd],
    },
  ])('$rule', ({ used, shown: [limit, remaining, reset] }) => {
    expect(limitHeaders(used)).toMatchObject({
      'x-ratelimit-limit': `${limit}`,
      'x-ratelimit-remaining': `${remaining}`,
      'x-ratelimit-reset': `${Number(reset) / second}`,
    });
  });

  test('both, as the IETF draft has them', () => {
    expect(limitHeaders(usage(1, 1))).toMatchObject({
      'ratelimit-policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
      ratelimit: '"minute";r=59;t=43, "day";r=999;t=43183',
    });
  });
});

test('where the service is away, nothing is left until the retry', () => {
  expect(unavailableHeaders({ perMinute: 300, perDay: 10_000 }, now, 1)).toEqual({
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': `${Math.ceil(now / second) + 1}`,
    'ratelimit-policy': '"minute";q=300;w=60, "day";q=10000;w=86400',
    ratelimit: '"minute";r=0;t=1, "day";r=0;t=1',
  });
});

test.each([
  { refusal: 'an exhausted minute', failure: limited(usage(60, 700)), seconds: 43 },
  { refusal: 'an exhausted day', failure: limited(usage(10, 1000)), seconds: 43_183 },
  { refusal: 'both', failure: limited(usage(60, 1000)), seconds: 43_183 },
  { refusal: 'the last moment of a window', failure: limited({ ...usage(60, 700), now: minuteEnd - 1 }), seconds: 1 },
  { refusal: 'a ban', failure: banned(now + 300 * second, now), seconds: 300 },
  { refusal: "a ban's last moment", failure: banned(now + 1, now), seconds: 1 },
])('Retry-After of $refusal is $seconds s', ({ failure, seconds }) => {
  expect(failure.retryAfter).toBe(seconds);
  expect(failure.message).toContain(`${seconds} second`);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['2001:db8:0:0:1::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
])('%s pays as %s', (ip, payer) => {
  expect(network(ip)).toBe(payer);
});

describe('the quota of an address', () => {
  const quota = { perMinute: 3, perDay: 5 };
  const passed = (addresses: Addresses, ip: string, at: number, requests: number) =>
    times(requests, ip).filter((one) => addresses.take(one, at).admitted).length;

  test.each([
    {
      when: 'within a minute',
      steps: [
        [0, 3],
        [minuteEnd - now - 1, 0],
      ],
    },
    {
      when: 'over the turn of a minute',
      steps: [
        [0, 3],
        [minuteEnd - now, 2],
      ],
    },
    {
      when: 'over the turn of the day',
      steps: [
        [0, 3],
        [minute, 2],
        [2 * minute, 0],
        [dayEnd - now, 3],
      ],
    },
    {
      when: 'with a clock that is set back over a turn',
      steps: [
        [0, 3],
        [-minute, 0],
        [0, 0],
        [-day, 0],
      ],
    },
  ])('is kept $when', ({ steps }) => {
    const addresses = new Addresses(quota);
    for (const [after, expected] of steps)
      expect(passed(addresses, '192.0.2.7', now + Number(after), 10)).toBe(expected);
  });

  test('is one for a /64, and another one for its neighbour', () => {
    const addresses = new Addresses(quota);
    expect(passed(addresses, '2001:db8:1:2::1', now, 10)).toBe(3);
    expect(passed(addresses, '2001:db8:1:2:ffff::1', now, 10)).toBe(0);
    expect(passed(addresses, '2001:db8:1:3::1', now, 10)).toBe(3);
  });

  test('looking takes nothing', () => {
    const addresses = new Addresses(quota);
    for (let look = 0; look < 10; look++)
      expect(addresses.look('192.0.2.7', now)).toMatchObject({ minuteUsed: 0, dayUsed: 0 });
    expect(passed(addresses, '192.0.2.7', now, 10)).toBe(3);
  });

  test('is forgotten when 50,000 others came since: the memory is bounded', () => {
    const addresses = new Addresses(quota);
    const others = (count: number, at: number) => {
      for (let other = 0; other < count; other++) addresses.take(`10.${at}.${other >> 8}.${other & 255}`, now);
    };
    passed(addresses, '192.0.2.7', now, 10);
    others(49_999, 1);
    expect(passed(addresses, '192.0.2.7', now, 10)).toBe(0);
    others(50_000, 2);
    expect(passed(addresses, '192.0.2.7', now, 10)).toBe(3);
  });
});

describe('over HTTP', () => {
  let service: Service;
  let proxied: Service;
  let key: string;
  const quota = { perMinute: 12, perDay: 10_000 };
  const edit = (yaml: string) => yaml.replace(/(anonymous:\n\s+perMinute: )\d+/, `$1${quota.perMinute}`);
  let addresses = 1;
  const newAddress = () => `127.0.1.${addresses++}`;

  beforeAll(async () => {
    [service, proxied] = await Promise.all([startService({ edit }), startService({ edit, trustProxy: ['127.0.2.1'] })]);
    for (const { database } of [service, proxied]) await freezeClock(database, now);
    // One question each, so that they know the database's time.
    for (const one of [service, proxied]) await one.ask('GET', '/v1/pets', { key: (await one.newKey()).key });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    ({ key } = await service.newKey(custom(60, 1000)));
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await Promise.all([service.close(), proxied.close()]);
  });

  const triple = ({ headers }: Reply) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

  test('a request with a key is told of its plan, exactly', async () => {
    const reply = await service.ask('GET', '/v1/pets', { key });
    expect(triple(reply)).toEqual([60, 59, minuteEnd / second]);
    expect(reply.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60, "day";q=1000;w=86400');
    expect(reply.headers.get('ratelimit')).toBe('"minute";r=59;t=43, "day";r=999;t=43183');
  });

  test.each([
    { what: 'a success', method: 'GET', path: '/v1/pets' },
    { what: 'a success without a body', method: 'HEAD', path: '/v1/pets' },
    { what: 'an animal that is not there', method: 'GET', path: '/v1/pets/1' },
    { what: 'a wrong parameter', method: 'GET', path: '/v1/pets?limit=0' },
    { what: 'a wrong body', method: 'POST', path: '/v1/pets', body: '{' },
    {
      what: 'a wrong media type',
      method: 'POST',
      path: '/v1/pets',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    },
  ])('$what with a good key takes one from the key', async ({ method, path, ...asked }) => {
    const own = (await service.newKey(custom(60, 1000))).key;
    expect(triple(await service.ask(method, path, { key: own, ...asked }))).toEqual([60, 59, minuteEnd / second]);
    expect(triple(await service.ask('GET', '/v1/pets', { key: own }))[1]).toBe(58);
  });

  test.each([
    { what: 'no key', method: 'GET', path: '/v1/pets', asked: {} },
    { what: 'a malformed key', method: 'GET', path: '/v1/pets', asked: { key: 'secret' } },
    { what: 'an unknown key', method: 'GET', path: '/v1/pets', asked: { key: mint().key } },
    { what: 'an unknown path', method: 'GET', path: '/v1/nothing', asked: {} },
    { what: 'the base path alone', method: 'GET', path: '/v1', asked: {} },
    { what: 'an unknown method', method: 'DELETE', path: '/v1/pets', asked: {} },
    { what: 'an address that is no URI', method: 'GET', path: '/v1/pets/%zz', asked: {} },
  ])('$what takes one from the address', async ({ method, path, asked }) => {
    const from = newAddress();
    expect(triple(await service.ask(method, path, { ...asked, from }))).toEqual([12, 11, minuteEnd / second]);
    expect(triple(await service.ask('GET', '/v1/pets', { from }))[1]).toBe(10);
  });

  test('OPTIONS tells of the address and takes nothing', async () => {
    const from = newAddress();
    for (let request = 0; request < 3; request++)
      expect(triple(await service.ask('OPTIONS', '/v1/pets', { from }))).toEqual([12, 12, minuteEnd / second]);
  });

  test('missing, malformed and unknown keys and unknown paths share it; past it all are 429, and a good key still works', async () => {
    const from = newAddress();
    const bad = [
      () => service.ask('GET', '/v1/pets', { from }),
      () => service.ask('GET', '/v1/pets', { from, key: 'secret' }),
      () => service.ask('GET', '/v1/pets', { from, key: mint().key }),
      () => service.ask('GET', '/v1/nothing', { from }),
      () => service.ask('PATCH', '/v1/pets', { from }),
    ];
    const first = await Promise.all(
      times(4, bad)
        .flat()
        .slice(0, 12)
        .map((ask) => ask()),
    );
    expect(first.filter(({ status }) => status === 429)).toEqual([]);
    for (const ask of bad) {
      const reply = await ask();
      expect(reply.status).toBe(429);
      expect(reply.json).toMatchObject({ code: 'rate_limit_exceeded' });
      expect(reply.headers.get('retry-after')).toBe('43');
      expect(triple(reply)).toEqual([12, 0, minuteEnd / second]);
    }
    expect((await service.ask('GET', '/v1/pets', { from, key })).status).toBe(200);
  });

  test('what is outside the API costs nothing', async () => {
    const from = newAddress();
    for (const path of times(5, ['/livez', '/openapi.json', '/nothing']).flat())
      await service.ask('GET', path, { from });
    expect(triple(await service.ask('GET', '/v1/pets', { from }))[1]).toBe(11);
  });

  test.each([
    { who: 'nobody who is not named as a proxy', at: () => service, from: '127.0.2.1', remaining: [11, 10] },
    { who: 'a proxy that is named', at: () => proxied, from: '127.0.2.1', remaining: [11, 11] },
    { who: 'nobody else, where one is named', at: () => proxied, from: '127.0.2.2', remaining: [11, 10] },
  ])('$who says in X-Forwarded-For where a request comes from', async ({ at, from, remaining }) => {
    const ask = (forwarded: string) => at().ask('GET', '/v1/pets', { from, headers: { 'x-forwarded-for': forwarded } });
    const replies = [await ask('192.0.2.1'), await ask('192.0.2.2')];
    expect(replies.map((reply) => triple(reply)[1])).toEqual(remaining);
  });

  test('a proxy is believed about its caller, not about what the caller says of himself', async () => {
    const ask = (forwarded: string) =>
      proxied.ask('GET', '/v1/pets', { from: '127.0.2.1', headers: { 'x-forwarded-for': forwarded } });
    const replies = [await ask('198.51.100.1, 192.0.2.9'), await ask('198.51.100.2, 192.0.2.9')];
    expect(replies.map((reply) => triple(reply)[1])).toEqual([11, 10]);
  });
});
