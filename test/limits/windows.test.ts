import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Service, startService } from '../service.ts';
import { custom, freezeClock, second, siblingOf, times } from './judge.ts';

const noon = Date.parse('2030-05-05T12:00:17.250Z');
const quotas = { minute: custom(20, 1000), day: custom(1000, 20) };

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(() => freezeClock(service.database, noon));

const list = (key: string) => service.ask('GET', '/v1/pets', { key });

/** What changed may be noticed a second late. */
async function expectSoon(key: string, status: number): Promise<void> {
  await vi.waitFor(async () => expect((await list(key)).status).toBe(status), { timeout: 2_500, interval: 100 });
}

test.each([
  { window: 'minute' as const, end: '2030-05-05T12:01:00Z', wait: 43 },
  { window: 'day' as const, end: '2030-05-06T00:00:00Z', wait: 43_183 },
])(
  'an exhausted $window is 429 until it turns; who waits as long as Retry-After says is let in',
  async ({ window, end, wait }) => {
    const { key } = await service.newKey(quotas[window]);
    const replies = await Promise.all(times(25, key).map(list));
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(refused).toHaveLength(5);
    for (const reply of refused) {
      expect(reply.json).toMatchObject({ code: 'rate_limit_exceeded' });
      expect(reply.headers.get('retry-after')).toBe(`${wait}`);
      expect(reply.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(reply.headers.get('x-ratelimit-reset')).toBe(`${Date.parse(end) / second}`);
    }
    await freezeClock(service.database, noon + wait * second);
    await expectSoon(key, 200);
    expect((await list(key)).headers.get('ratelimit')).toMatch(new RegExp(`^"${window}";r=18;|, "${window}";r=18;`));
  },
);

test('what a refusal from memory says of the time is true: it counts down', async () => {
  const { key } = await service.newKey(custom(100, 1000));
  await service.database.setClock('2030-05-05T12:00:10Z');
  await Promise.all(times(101, key).map(list));
  const [minuteEnd, waits] = [Date.parse('2030-05-05T12:01:00Z') / second, new Set<number>()];
  await vi.waitUntil(
    async () => {
      const reply = await list(key);
      expect(reply.headers.get('x-ratelimit-reset')).toBe(`${minuteEnd}`);
      expect(reply.headers.get('ratelimit')).toContain(`"minute";r=0;t=${reply.headers.get('retry-after')}, `);
      waits.add(Number(reply.headers.get('retry-after')));
      return waits.size === 2;
    },
    { timeout: 3_000, interval: 50 },
  );
  const [first = 0, later = 0] = waits;
  expect(first).toBeLessThanOrEqual(50);
  expect(later).toBeLessThan(first);
});

test('a new plan counts from the next request on, and what is used stays used', async () => {
  const { key, stored } = await service.newKey(custom(100, 1000));
  const two = await siblingOf(service.operator, { stored });
  await Promise.all(times(30, key).map(list));
  await service.operator.projects.setPlan(stored.projectId, custom(40, 1000));
  expect((await list(two.key)).headers.get('ratelimit')).toContain('"minute";r=9;');
  await service.operator.projects.setPlan(stored.projectId, custom(20, 1000));
  const refused = await list(key);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('20');
  await service.operator.projects.setPlan(stored.projectId, { plan: 'free', custom: null });
  await expectSoon(key, 200);
  expect((await list(two.key)).headers.get('ratelimit')).toMatch(/^"minute";r=2[78];/);
});
