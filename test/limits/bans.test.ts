import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OperatorStore, openOperatorStore } from '../../src/store/operator.ts';
import type { Verdict } from '../../src/store/verdict.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { type Service, startService } from '../service.ts';
import {
  custom,
  day,
  freezeClock,
  judge,
  minute,
  newProject,
  type StoredKey,
  second,
  siblingOf,
  tally,
  terms,
  times,
} from './judge.ts';

const noon = Date.parse('2030-05-05T12:00:10Z');
const perMinute = 5;
const plan = custom(perMinute, 10_000);

let database: Database;
let operator: OperatorStore;
let one: StoredKey;

beforeAll(async () => {
  database = await cloneDatabase();
  operator = openOperatorStore(database.url);
});
afterAll(async () => {
  await operator.close();
  await database.drop();
});
beforeEach(async () => {
  await freezeClock(database, noon);
  one = await newProject(operator, plan);
});

const endOf = (verdict: Verdict | undefined) => (verdict?.outcome === 'banned' ? verdict.until : null);

/** Sends as many requests as it takes to be banned at `now`; the seconds of the ban. */
async function earnBan({ fingerprint }: StoredKey, now: number): Promise<number> {
  await freezeClock(database, now);
  const verdicts = await judge(database, ...times(2 * perMinute, fingerprint));
  return ((endOf(verdicts.at(-1)) ?? now) - now) / second;
}

describe('rejections within a minute', () => {
  test.each([
    { rejections: perMinute - 1, outcome: 'limited' },
    { rejections: perMinute, outcome: 'banned' },
  ])('$rejections of a quota of five: $outcome', async ({ rejections, outcome }) => {
    const verdicts = await judge(database, ...times(perMinute + rejections, one.fingerprint));
    expect(tally(verdicts)).toEqual({ admitted: perMinute, [outcome]: rejections });
  });

  test('count over instances', async () => {
    await judge(database, ...times(perMinute, one.fingerprint));
    const outcomes: string[] = [];
    for (let instance = 0; instance < perMinute; instance++)
      outcomes.push((await judge(database, one.fingerprint))[0]?.outcome ?? '');
    expect(outcomes).toEqual([...times(perMinute - 1, 'limited'), 'banned']);
  });

  test('count anew in the next minute', async () => {
    await judge(database, ...times(2 * perMinute - 1, one.fingerprint));
    await freezeClock(database, noon + minute);
    expect(tally(await judge(database, ...times(2 * perMinute - 1, one.fingerprint)))).toEqual({
      admitted: 5,
      limited: 4,
    });
  });

  test('count against the key that sends them, not against its project', async () => {
    const two = await siblingOf(operator, one);
    await judge(database, ...times(2 * perMinute, one.fingerprint));
    expect(tally(await judge(database, one.fingerprint, two.fingerprint))).toEqual({ banned: 1, limited: 1 });
  });
});

test('bans grow: 5 minutes, 15 minutes, 1 hour, 24 hours, and no longer', async () => {
  const lengths: number[] = [];
  for (let now = noon, bans = 0; bans < 6; bans++) {
    const length = await earnBan(one, now);
    lengths.push(length);
    now += length * second;
  }
  expect(lengths).toEqual([300, 900, 3600, 86_400, 86_400, 86_400]);
});

test.each([
  { after: 'no time', clean: 0, next: 3600 },
  { after: 'not quite a day', clean: day - second, next: 3600 },
  { after: 'a clean day', clean: day, next: 900 },
  { after: 'two clean days', clean: 2 * day, next: 300 },
  { after: 'a clean month', clean: 30 * day, next: 300 },
])('after two bans and $after the next one takes $next s', async ({ clean, next }) => {
  await earnBan(one, noon);
  await earnBan(one, noon + 300 * second);
  expect(await earnBan(one, noon + 1200 * second + clean)).toBe(next);
});

test('requests during a ban do not lengthen it, take nothing, and count for no other ban', async () => {
  await earnBan(one, noon);
  await freezeClock(database, noon + 299 * second);
  const during = await judge(database, ...times(500, one.fingerprint));
  expect(new Set(during.map(endOf))).toEqual(new Set([noon + 300 * second]));
  await freezeClock(database, noon + 300 * second);
  expect(tally(await judge(database, ...times(9, one.fingerprint)))).toEqual({ admitted: 5, limited: 4 });
});

test('a ban gives no quota back', async () => {
  const { fingerprint, stored } = await newProject(operator, custom(5, 7));
  await judge(database, ...times(10, fingerprint));
  await freezeClock(database, noon + 300 * second);
  const after = await judge(database, ...times(3, fingerprint));
  expect(tally(after)).toEqual({ admitted: 2, limited: 1 });
  expect((await operator.projects.list()).find(({ id }) => id === stored.projectId)).toMatchObject({ usedToday: 7 });
});

test('a new key of the project is not banned, and has what the project has left', async () => {
  await earnBan(one, noon);
  const rotated = await siblingOf(operator, one);
  expect(tally(await judge(database, rotated.fingerprint))).toEqual({ limited: 1 });
  await freezeClock(database, noon + minute);
  expect(tally(await judge(database, rotated.fingerprint, one.fingerprint))).toEqual({ admitted: 1, banned: 1 });
});

test('the operator sees a ban while it lasts, and lifts it', async () => {
  const bannedUntil = async () => (await operator.keys.list()).find(({ id }) => id === one.stored.id)?.bannedUntil;
  expect(await bannedUntil()).toBeNull();
  await earnBan(one, noon);
  expect(await bannedUntil()).toEqual(new Date(noon + 300 * second));
  await freezeClock(database, noon + 300 * second);
  expect(await bannedUntil()).toBeNull();
  await earnBan(one, noon + 300 * second);
  expect(await operator.keys.unban(one.stored.id)).toBe(true);
  expect(await bannedUntil()).toBeNull();
  expect(await operator.keys.unban('key_of_nobody')).toBe(false);
});

test('unban forgets the rejections that led to the ban, gives no quota, and the next ban is the longer one', async () => {
  await earnBan(one, noon);
  await operator.keys.unban(one.stored.id);
  expect(tally(await judge(database, ...times(perMinute - 1, one.fingerprint)))).toEqual({ limited: 4 });
  expect(endOf((await judge(database, one.fingerprint))[0])).toBe(noon + (terms.banDurations[1] ?? 0) * second);
});

describe('over HTTP', () => {
  let service: Service;
  let key: string;
  let id: string;
  const list = () => service.ask('GET', '/v1/pets', { key });

  beforeAll(async () => {
    service = await startService();
    await freezeClock(service.database, noon);
    ({
      key,
      stored: { id },
    } = await service.newKey(custom(60, 1000)));
  });
  afterAll(() => service.close());

  test('a key that goes on after 429s is banned, told until when, and let in when that is over', async () => {
    const replies = await Promise.all(times(130, 0).map(list));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
    const banned = await list();
    expect(banned.json).toMatchObject({ code: 'api_key_banned', status: 429 });
    expect(banned.headers.get('retry-after')).toBe('300');
    expect(banned.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await service.ask('GET', '/metrics')).text).toMatch(
      /rate_limit_refusals_total\{code="api_key_banned"\} [1-9]/,
    );

    await freezeClock(service.database, noon + 300 * second);
    await vi.waitFor(async () => expect((await list()).status).toBe(200), { timeout: 2_500, interval: 50 });
  });

  test('unban is felt within a second', async () => {
    await freezeClock(service.database, noon + 400 * second);
    await Promise.all(times(130, 0).map(list));
    expect((await list()).json).toMatchObject({ code: 'api_key_banned' });
    await service.operator.keys.unban(id);
    await freezeClock(service.database, noon + 500 * second);
    const begin = performance.now();
    await vi.waitFor(async () => expect((await list()).status).toBe(200), { timeout: 5_000, interval: 25 });
    expect(performance.now() - begin).toBeLessThan(2_500);
  });
});
