import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { Admission } from '../../src/store/admission.ts';
import { Connection } from '../../src/store/connection.ts';
import { type OperatorStore, openOperatorStore } from '../../src/store/operator.ts';
import { type Usage, type Verdict, windowEnd } from '../../src/store/verdict.ts';
import { cloneDatabase, type Database } from '../database.ts';
import {
  custom,
  day,
  freezeClock,
  judge,
  minute,
  newProject,
  second,
  siblingOf,
  tally,
  terms,
  times,
} from '../limits/judge.ts';

const noon = Date.parse('2030-05-05T12:00:10Z');

let database: Database;
let operator: OperatorStore;
let instances: Admission[];

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
  instances = [1, 2, 3].map(() => new Admission(database.url, terms));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(instances.map((instance) => instance.close()));
});

/** Every fingerprint once at every instance, all at once. */
const rush = (fingerprints: readonly Parameters<Admission['admit']>[0][], at = instances) =>
  Promise.all(fingerprints.flatMap((fingerprint) => at.map((instance) => instance.admit(fingerprint))));

const usageOf = (verdict: Verdict | undefined): Usage => {
  if (verdict === undefined || verdict.outcome === 'unknown') throw new Error('a verdict without usage');
  return verdict.usage;
};

const used = async (projectId: string) => {
  const project = (await operator.projects.list()).find(({ id }) => id === projectId);
  return { minute: project?.usedThisMinute, day: project?.usedToday };
};

describe('exactly the quota passes', () => {
  test.each([
    { over: 'one instance', count: 1 },
    { over: 'three instances', count: 3 },
  ])('of one key, over $over, and each of its requests is told another number', async ({ count }) => {
    const { fingerprint, stored } = await newProject(operator, custom(40, 100));
    const verdicts = await rush(times(150, fingerprint), instances.slice(0, count));
    const admitted = verdicts.filter(({ outcome }) => outcome === 'admitted');
    expect(admitted.map((verdict) => usageOf(verdict).minuteUsed).sort((a, b) => a - b)).toEqual(
      [...Array(40).keys()].map((n) => n + 1),
    );
    expect(await used(stored.projectId)).toEqual({ minute: 40, day: 40 });
  });

  test('of two keys of one project together', async () => {
    const one = await newProject(operator, custom(40, 100));
    const two = await siblingOf(operator, one);
    const verdicts = await rush(times(50, [one.fingerprint, two.fingerprint]).flat());
    expect(tally(verdicts).admitted).toBe(40);
    expect(await used(one.stored.projectId)).toEqual({ minute: 40, day: 40 });
  });

  test('of many keys at once, each its own', async () => {
    const keys = await Promise.all(times(50, custom(7, 100)).map((plan) => newProject(operator, plan)));
    const verdicts = await rush(
      times(
        5,
        keys.map(({ fingerprint }) => fingerprint),
      ).flat(),
    );
    const perKey = Map.groupBy(verdicts, (verdict) => (verdict.outcome === 'admitted' ? verdict.keyId : 'refused'));
    expect(perKey.size).toBe(51);
    for (const { stored } of keys) expect(perKey.get(stored.id)).toHaveLength(7);
  });

  test('of the day, where the minute would allow more', async () => {
    const { fingerprint, stored } = await newProject(operator, custom(40, 25));
    const verdicts = await rush(times(30, fingerprint));
    expect(tally(verdicts).admitted).toBe(25);
    expect(await used(stored.projectId)).toEqual({ minute: 25, day: 25 });
  });
});

test('what one key of a project is refused is not counted against the next one', async () => {
  const one = await newProject(operator, custom(5, 8));
  const two = await siblingOf(operator, one);
  const [, , , , , , , last] = await judge(database, ...times(7, one.fingerprint), two.fingerprint);
  expect(last).toMatchObject({ outcome: 'limited', usage: { minuteUsed: 5, dayUsed: 5 } });
  expect(windowEnd(usageOf(last))).toBe(Date.parse('2030-05-05T12:01:00Z'));
});

test('who asked first is served first, also where the key was refused before', async () => {
  const one = await newProject(operator, custom(5, 50));
  const two = await siblingOf(operator, one);
  const [instance] = instances as [Admission];
  await Promise.all(times(6, one.fingerprint).map((print) => instance.admit(print)));
  await freezeClock(database, noon + minute);
  await sleep(30); // Sooner it would flood, and be answered from memory.
  const verdicts = await Promise.all([one, two].map(({ fingerprint }) => instance.admit(fingerprint)));
  expect(verdicts.map((verdict) => usageOf(verdict).minuteUsed)).toEqual([1, 2]);
});

test('a banned key is told what its project has used, no less', async () => {
  const one = await newProject(operator, custom(5, 50));
  await judge(database, ...times(10, one.fingerprint));
  const verdicts = await judge(database, ...times(3, one.fingerprint));
  expect(verdicts).toEqual(
    times(
      3,
      expect.objectContaining({ outcome: 'banned', usage: expect.objectContaining({ minuteUsed: 5, dayUsed: 5 }) }),
    ),
  );
});

test('the ban of one key does not take from what another key of the project may use', async () => {
  const one = await newProject(operator, custom(5, 50));
  const two = await siblingOf(operator, one);
  await judge(database, ...times(10, one.fingerprint));
  await freezeClock(database, noon + minute);
  const verdicts = await judge(database, ...times(6, one.fingerprint), ...times(6, two.fingerprint));
  expect(tally(verdicts)).toEqual({ banned: 6, admitted: 5, limited: 1 });
});

test('a key of a plan that openapi.yaml does not name fails alone, and is charged nothing', async () => {
  const lost = await newProject(operator, { plan: 'gone', custom: null });
  const good = await newProject(operator, custom(5, 50));
  const [instance] = instances as [Admission];
  const outcomes = await Promise.allSettled([lost, good].map(({ fingerprint }) => instance.admit(fingerprint)));
  expect(outcomes).toEqual([
    {
      status: 'rejected',
      reason: expect.objectContaining({ message: expect.stringContaining('plan that openapi.yaml does not name') }),
    },
    { status: 'fulfilled', value: expect.objectContaining({ outcome: 'admitted' }) },
  ]);
  expect(await used(lost.stored.projectId)).toEqual({ minute: 0, day: 0 });
});

test('a key nobody has, a revoked one and an expired one are unknown alike', async () => {
  const revoked = await newProject(operator, custom(5, 50));
  await operator.keys.revoke(revoked.stored);
  const expired = await newProject(operator, custom(5, 50), new Date(noon - 1));
  const verdicts = await judge(database, mint().fingerprint, revoked.fingerprint, expired.fingerprint);
  expect(verdicts).toEqual(times(3, { outcome: 'unknown' }));
});

test('a key expires at its instant, not before', async () => {
  const { fingerprint } = await newProject(operator, custom(5, 50), new Date(noon));
  await freezeClock(database, noon - 1);
  expect(tally(await judge(database, fingerprint))).toEqual({ admitted: 1 });
  await freezeClock(database, noon);
  expect(tally(await judge(database, fingerprint))).toEqual({ unknown: 1 });
});

test('"last used" is known within 15 seconds', async () => {
  const { fingerprint, stored } = await newProject(operator, custom(50, 500));
  const lastUsed = async () => (await operator.keys.list()).find(({ id }) => id === stored.id)?.lastUsedAt?.getTime();
  expect(await lastUsed()).toBeUndefined();
  for (const at of [0, 9, 16, 25, 47]) {
    await freezeClock(database, noon + at * second);
    await judge(database, fingerprint);
    expect(noon + at * second - ((await lastUsed()) ?? 0)).toBeLessThanOrEqual(15 * second);
  }
});

describe('windows', () => {
  test('a statement that meets the turn of a minute counts all of a project in one window', async () => {
    const one = await newProject(operator, custom(50, 500));
    const two = await siblingOf(operator, one);
    await database.query('create sequence readings');
    // Every reading of the clock is in another minute.
    await database.query(
      `create or replace function service_now() returns timestamptz language sql volatile as
       $$ select to_timestamp(${noon / second}) + nextval('readings') * interval '1 minute' $$`,
    );
    const verdicts = await judge(database, ...times(3, one.fingerprint), ...times(4, two.fingerprint));
    expect(tally(verdicts)).toEqual({ admitted: 7 });
    expect(
      await database.query('select minute_used, day_used from projects where id = $1', [one.stored.projectId]),
    ).toEqual([{ minute_used: 7, day_used: 7 }]);
  });

  test.each([
    { window: 'minute', plan: custom(3, 50), end: Date.parse('2030-05-05T12:01:00Z') },
    { window: 'day', plan: custom(50, 3), end: Date.parse('2030-05-06T00:00:00Z') },
  ])('the $window ends with its last millisecond and gives the whole quota anew', async ({ plan, end }) => {
    const { fingerprint } = await newProject(operator, plan);
    const [, , , refused] = await judge(database, ...times(4, fingerprint));
    expect(windowEnd(usageOf(refused))).toBe(end);
    await freezeClock(database, end - 1);
    expect(tally(await judge(database, fingerprint))).toEqual({ limited: 1 });
    await freezeClock(database, end);
    expect(tally(await judge(database, ...times(4, fingerprint)))).toEqual({ admitted: 3, limited: 1 });
  });

  test.each([
    { back: 'a few seconds', by: 15 * second },
    { back: 'a day', by: day },
  ])('a clock set back by $back does not give a window twice, and the end it is told is true', async ({ by }) => {
    const { fingerprint } = await newProject(operator, custom(9, 50));
    await judge(database, ...times(9, fingerprint));
    await freezeClock(database, noon - by);
    const [refused] = await judge(database, fingerprint);
    expect(refused?.outcome).toBe('limited');
    await freezeClock(database, windowEnd(usageOf(refused)) - 1);
    expect(tally(await judge(database, fingerprint))).toEqual({ limited: 1 });
    await freezeClock(database, windowEnd(usageOf(refused)));
    expect(tally(await judge(database, fingerprint))).toEqual({ admitted: 1 });
  });
});

describe('refusals from memory', () => {
  const statements = () => vi.spyOn(Connection.prototype, 'run');

  test.each([
    { state: 'exhausted', plan: custom(20_000, 3), requests: 4 },
    { state: 'banned', plan: custom(3, 50), requests: 6 },
  ])('a flood of a key that is $state costs PostgreSQL one or two statements a second', async ({ plan, requests }) => {
    const { fingerprint } = await newProject(operator, plan);
    const [instance] = instances as [Admission];
    await Promise.all(times(requests, fingerprint).map((one) => instance.admit(one)));
    const asked = statements();
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const begin = now;
    for (; now < begin + 3 * second; now += 10) {
      const verdicts = await Promise.all(times(20, fingerprint).map((one) => instance.admit(one)));
      expect(tally(verdicts).admitted).toBeUndefined();
    }
    clock.mockRestore();
    expect(asked.mock.calls.length).toBeGreaterThan(0);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + ((now - begin) / second) * 2);
  });

  test('as many rejections as the minute quota make a ban, one after the other as well as at once', async () => {
    const { fingerprint } = await newProject(operator, custom(20, 20));
    const [instance] = instances as [Admission];
    const outcomes: string[] = [];
    const asked = statements();
    for (let request = 0; request < 45; request++) outcomes.push((await instance.admit(fingerprint)).outcome);
    expect(outcomes).toEqual([...times(20, 'admitted'), ...times(19, 'limited'), ...times(6, 'banned')]);
    // 20 admitted, the first and the last rejection, and the few that were asked because memory had run out.
    expect(asked.mock.calls.length).toBeLessThan(20 + 10);
  });

  test('rejections given from memory while a statement is under way count too', async () => {
    const { fingerprint } = await newProject(operator, custom(10, 10));
    await judge(database, ...times(10, fingerprint));
    const [instance] = instances as [Admission];
    const first = instance.admit(fingerprint);
    await new Promise((resolve) => setImmediate(resolve));
    const next = instance.admit(fingerprint);
    await first;
    await new Promise((resolve) => process.nextTick(resolve)); // The statement of the next one is sent.
    for (let request = 0; request < 3; request++)
      expect(instance.admit(fingerprint)).toMatchObject({ outcome: 'limited' });
    await next;
    const outcomes: string[] = [];
    for (let request = 0; request < 5; request++) outcomes.push((await instance.admit(fingerprint)).outcome);
    expect(outcomes).toEqual([...times(4, 'limited'), 'banned']);
  });

  test('the memory of refusals is bounded', async () => {
    const { fingerprint } = await newProject(operator, custom(1, 1));
    const [instance] = instances as [Admission];
    await Promise.all(times(2, fingerprint).map((one) => instance.admit(one)));
    expect(instance.admit(fingerprint)).not.toBeInstanceOf(Promise);
    vi.spyOn(Connection.prototype, 'run').mockImplementation(async ({ name }, [fingerprints]) =>
      // Each key exhausted: the row that a refusal in PostgreSQL's words is.
      (name === 'judge' ? (fingerprints ?? '').split(',') : []).map((_, index) => [
        `${index + 1}`,
        'key',
        '0',
        '1',
        '1',
        '1',
        '1',
        `${noon}`,
        null,
        '1',
        `${noon / minute}`,
        `${noon / day}`,
      ]),
    );
    for (let round = 0; round < 10; round++)
      await Promise.all(times(1_000, 0).map(() => instance.admit(mint().fingerprint)));
    expect(instance.admit(fingerprint)).toBeInstanceOf(Promise);
  });
});

test('a hot key does not keep others out', async () => {
  const hot = await newProject(operator, custom(1_000_000, 1_000_000));
  const other = await newProject(operator, custom(1_000, 1_000));
  let open = true;
  let answered = 0;
  const flood = instances.map(async (instance) => {
    while (open) {
      await Promise.all(times(300, hot.fingerprint).map((one) => instance.admit(one)));
      answered += 300;
    }
  });
  const waits: number[] = [];
  for (let request = 0; request < 30; request++) {
    const begin = performance.now();
    const [instance] = instances as [Admission];
    expect((await instance.admit(other.fingerprint)).outcome).toBe('admitted');
    waits.push(performance.now() - begin);
  }
  open = false;
  await Promise.all(flood);
  expect(answered).toBeGreaterThan(1_000);
  // It waits for the statement under way and for its own, not for the 900 before it.
  expect(waits.sort((a, b) => a - b)[15]).toBeLessThan(500);
});
