import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OperatorStore, openOperatorStore } from '../../src/store/operator.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { unlimited } from '../service.ts';
import { type Instance, startInstance } from './instance.ts';
import { custom, freezeClock, newProject, type StoredKey, second, siblingOf, times } from './judge.ts';

const noon = Date.parse('2030-05-05T12:00:10Z');
const free = { plan: 'free', custom: null };

let database: Database;
let operator: OperatorStore;
let instances: Instance[];

beforeAll(async () => {
  database = await cloneDatabase();
  operator = openOperatorStore(database.url);
  instances = await Promise.all([1, 2, 3].map(() => startInstance(database.url)));
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await operator.close();
  await database.drop();
});
beforeEach(() => freezeClock(database, noon));

const list = (instance: Instance, { key }: StoredKey) => instance.ask('GET', '/v1/pets', { key });
const everywhere = (key: StoredKey) => Promise.all(instances.map((instance) => list(instance, key)));
const statuses = async (key: StoredKey) => (await everywhere(key)).map(({ status }) => status);
const used = async ({ stored }: StoredKey) =>
  (await operator.projects.list()).find(({ id }) => id === stored.projectId);

/** What an operator does is felt everywhere within a second; the rest of the bound is the machine’s. */
async function expectEverywhere(key: StoredKey, expected: { status: number; code?: string }): Promise<void> {
  const begin = performance.now();
  await vi.waitFor(
    async () => {
      for (const { status, text } of await everywhere(key))
        expect({ status, code: expected.code && JSON.parse(text).code }).toEqual({ code: undefined, ...expected });
    },
    { timeout: 5_000, interval: 50 },
  );
  expect(performance.now() - begin).toBeLessThan(2_500);
}

test.each([
  { whose: 'one key', keys: 1 },
  { whose: 'two keys of one project', keys: 2 },
])('of 300 requests at once over three processes exactly the 60 of the plan pass, for $whose', async ({ keys }) => {
  const one = await newProject(operator, free);
  const senders = keys === 1 ? [one, one] : [one, await siblingOf(operator, one)];
  const replies = await Promise.all(
    times(50, senders)
      .flat()
      .flatMap((key) => instances.map((instance) => list(instance, key))),
  );
  const passed = replies.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(60);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(240);
  // No two were told the same.
  expect(new Set(passed.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(60);
  expect(await used(one)).toMatchObject({ usedThisMinute: 60, usedToday: 60 });
});

test('for many keys at once, each has exactly its own', async () => {
  const keys = await Promise.all(times(20, custom(7, 1000)).map((plan) => newProject(operator, plan)));
  const passed = new Map<string, number>();
  await Promise.all(
    times(4, keys)
      .flat()
      .flatMap((key) =>
        instances.map(async (instance) => {
          if ((await list(instance, key)).status === 200)
            passed.set(key.stored.id, (passed.get(key.stored.id) ?? 0) + 1);
        }),
      ),
  );
  expect([...passed.values()]).toEqual(times(20, 7));
});

test.each([
  { what: 'a revoked key', change: (key: StoredKey) => operator.keys.revoke(key.stored), status: 401 },
  {
    what: 'a smaller plan',
    change: ({ stored }: StoredKey) => operator.projects.setPlan(stored.projectId, custom(1, 1)),
    status: 429,
  },
  { what: 'a key that expires', change: () => freezeClock(database, noon + 3600 * second), status: 401 },
])(
  '$what counts from the next request on, at every instance, while requests are under way',
  async ({ change, status }) => {
    const key = await newProject(operator, unlimited, new Date(noon + 3600 * second));
    const replies: { begun: number; status: number }[] = [];
    let changed = Number.POSITIVE_INFINITY;
    const senders = times(4, instances)
      .flat()
      .map(async (instance) => {
        for (let after = 0; after < 5; ) {
          const begun = performance.now();
          replies.push({ begun, status: (await list(instance, key)).status });
          if (begun > changed) after++;
        }
      });
    await vi.waitUntil(() => replies.length > 100, { timeout: 10_000 });
    await change(key);
    changed = performance.now();
    await Promise.all(senders);
    const [before, after] = [replies.slice(0, 100), replies.filter(({ begun }) => begun > changed)];
    expect(new Set(before.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(new Set(after.map((reply) => reply.status))).toEqual(new Set([status]));
  },
);

test('a larger plan ends the 429s everywhere within a second', async () => {
  const key = await newProject(operator, custom(30, 1000));
  await Promise.all(times(11, key).map(everywhere));
  expect(await statuses(key)).toEqual([429, 429, 429]);
  await operator.projects.setPlan(key.stored.projectId, custom(1000, 1000));
  await expectEverywhere(key, { status: 200 });
});

test('a ban earned at one instance counts at all, at a new one too, shows in the list, and is lifted within a second', async () => {
  const key = await newProject(operator, free);
  const [first] = instances as [Instance];
  await Promise.all(times(121, first).map((instance) => list(instance, key)));
  for (const reply of await everywhere(key)) {
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'api_key_banned', status: 429 });
    expect(reply.headers.get('retry-after')).toBe('300');
  }
  const shown = (await operator.keys.list()).find(({ id }) => id === key.stored.id);
  expect(shown?.bannedUntil).toEqual(new Date(noon + 300 * second));

  const newcomer = await startInstance(database.url);
  instances.push(newcomer);
  expect(JSON.parse((await list(newcomer, key)).text)).toMatchObject({ code: 'api_key_banned' });

  await operator.keys.unban(key.stored.id);
  // The quota is used up as before.
  await expectEverywhere(key, { status: 429, code: 'rate_limit_exceeded' });
});

test('a read that is sent after the reply to a create sees it, at any instance', async () => {
  const key = await newProject(operator, unlimited);
  await Promise.all(
    times(8, 0).map(async () => {
      for (let round = 0; round < 10; round++) {
        const [writer, reader] = [0, 1].map((shift) => instances[(round + shift) % instances.length]) as [
          Instance,
          Instance,
        ];
        const created = await writer.ask('POST', '/v1/pets', { key: key.key, body: { name: 'Ada', categoryId: 1 } });
        expect(created.status).toBe(201);
        const read = await reader.ask('GET', created.headers.get('location') ?? '', { key: key.key });
        expect(read.text).toBe(created.text);
      }
    }),
  );
});
