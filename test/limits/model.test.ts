import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Admission } from '../../src/store/admission.ts';
import { type OperatorStore, openOperatorStore } from '../../src/store/operator.ts';
import type { Verdict } from '../../src/store/verdict.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { day, freezeClock, minute, newProject, type StoredKey, second, siblingOf, terms, times } from './judge.ts';

let database: Database;
let operator: OperatorStore;

beforeAll(async () => {
  database = await cloneDatabase();
  operator = openOperatorStore(database.url);
});
afterAll(async () => {
  await operator.close();
  await database.drop();
});

const quotas = { small: { perMinute: 5, perDay: 50 }, large: { perMinute: 9, perDay: 90 } } as const;
type PlanName = keyof typeof quotas;
const windowOf = (now: number, length: number) => Math.floor(now / length);

/** What the two keys of one project may expect, in the fewest words. */
class Model {
  now = Date.parse('2031-01-01T23:50:07Z');
  plan: PlanName = 'small';
  windows = { minute: 0, minuteUsed: 0, day: 0, dayUsed: 0 };
  keys = [1, 2].map(() => ({ isRevoked: false, denied: 0, deniedIn: 0, bans: 0, bannedUntil: 0 }));

  /** How many of `n` requests pass, and what the others hear. */
  take(index: number, n: number): { passed: number; others: Verdict['outcome'] } {
    const key = this.keys[index] ?? expect.unreachable();
    const { perMinute, perDay } = quotas[this.plan];
    if (key.isRevoked) return { passed: 0, others: 'unknown' };
    if (key.bannedUntil > this.now) return { passed: 0, others: 'banned' };
    const [m, d] = [windowOf(this.now, minute), windowOf(this.now, day)];
    if (m > this.windows.minute) Object.assign(this.windows, { minute: m, minuteUsed: 0 });
    if (d > this.windows.day) Object.assign(this.windows, { day: d, dayUsed: 0 });
    const passed = Math.max(0, Math.min(n, perMinute - this.windows.minuteUsed, perDay - this.windows.dayUsed));
    this.windows.minuteUsed += passed;
    this.windows.dayUsed += passed;
    if (passed === n) return { passed, others: 'limited' };
    key.denied = n - passed + (key.deniedIn === this.windows.minute ? key.denied : 0);
    key.deniedIn = this.windows.minute;
    if (key.denied < perMinute) return { passed, others: 'limited' };
    const forgiven = key.bannedUntil === 0 ? 0 : Math.floor((this.now - key.bannedUntil) / second / terms.cleanPeriod);
    key.bans = Math.max(0, key.bans - forgiven) + 1;
    key.bannedUntil = this.now + (terms.banDurations[Math.min(key.bans, terms.banDurations.length) - 1] ?? 0) * second;
    key.denied = 0;
    return { passed, others: 'banned' };
  }
}

interface Real {
  readonly admission: Admission;
  readonly keys: readonly StoredKey[];
  /** Real time as the instance sees it: what it remembers is forgotten between two commands. */
  forget(): void;
}

type Command = fc.AsyncCommand<Model, Real>;

const command = (
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): Command => ({
  toString: () => name,
  check,
  run: async (model, real) => {
    real.forget();
    await run(model, real);
  },
});

const keyIndex = fc.nat({ max: 1 });
const keyOf = (real: Real, index: number) => real.keys[index] ?? expect.unreachable();

function compare(verdicts: readonly Verdict[], expected: ReturnType<Model['take']>, model: Model): void {
  const { passed, others } = expected;
  expect(verdicts.map(({ outcome }) => outcome)).toEqual([
    ...times(passed, 'admitted'),
    ...times(verdicts.length - passed, others),
  ]);
  const last = verdicts.at(-1);
  if (last?.outcome !== 'limited' && last?.outcome !== 'admitted') return;
  const { perMinute, perDay } = quotas[model.plan];
  expect(last.usage).toMatchObject({
    perMinute,
    perDay,
    minuteUsed: Math.min(model.windows.minuteUsed, perMinute),
    dayUsed: Math.min(model.windows.dayUsed, perDay),
    minuteEnd: (model.windows.minute + 1) * minute,
    dayEnd: (model.windows.day + 1) * day,
  });
}

const commands = [
  fc.tuple(keyIndex, fc.integer({ min: 1, max: 14 })).map(([index, n]) =>
    command(`${n} at once with key ${index}`, async (model, real) => {
      const { fingerprint } = keyOf(real, index);
      const verdicts = await Promise.all(times(n, fingerprint).map((one) => real.admission.admit(one)));
      compare(verdicts, model.take(index, n), model);
    }),
  ),
  fc.tuple(keyIndex, fc.integer({ min: 1, max: 14 })).map(([index, n]) =>
    command(`${n} in turn with key ${index}`, async (model, real) => {
      for (let request = 0; request < n; request++) {
        compare([await real.admission.admit(keyOf(real, index).fingerprint)], model.take(index, 1), model);
      }
    }),
  ),
  fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 8 })).map(([first, second]) =>
    command(`${first} and ${second} at once with both keys`, async (model, real) => {
      const asked = [...times(first, 0), ...times(second, 1)];
      const verdicts = await Promise.all(asked.map((index) => real.admission.admit(keyOf(real, index).fingerprint)));
      if (first > 0) {
        const expected = model.take(0, first);
        expect(verdicts.slice(0, first).filter(({ outcome }) => outcome === 'admitted')).toHaveLength(expected.passed);
      }
      if (second > 0) compare(verdicts.slice(first), model.take(1, second), model);
    }),
  ),
  fc
    .constantFrom(
      second,
      20 * second,
      minute,
      5 * minute,
      16 * minute,
      70 * minute,
      day,
      3 * day,
      -20 * second,
      -2 * minute,
    )
    .map((by) =>
      command(`the clock moves by ${by / second} s`, async (model) => {
        model.now += by;
        await freezeClock(database, model.now);
      }),
    ),
  fc.constantFrom<PlanName>('small', 'large').map((plan) =>
    command(`plan ${plan}`, async (model, real) => {
      model.plan = plan;
      await operator.projects.setPlan(keyOf(real, 0).stored.projectId, { plan, custom: null });
    }),
  ),
  keyIndex.map((index) =>
    command(
      `unban key ${index}`,
      async (model, real) => {
        const key = model.keys[index] ?? expect.unreachable();
        Object.assign(key, { bannedUntil: model.now, denied: 0 });
        await operator.keys.unban(keyOf(real, index).stored.id);
      },
      (model) => (model.keys[index]?.bannedUntil ?? 0) > model.now,
    ),
  ),
  keyIndex.map((index) =>
    command(`revoke key ${index}`, async (model, real) => {
      const key = model.keys[index] ?? expect.unreachable();
      key.isRevoked = true;
      await operator.keys.revoke(keyOf(real, index).stored);
    }),
  ),
];

test('any sequence of requests, windows, bans and plans is judged as a ten-line model judges it', async () => {
  let realTime = 0;
  const clockOfProcess = vi.spyOn(performance, 'now').mockImplementation(() => realTime);
  const admission = new Admission(database.url, terms);
  try {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (sequence) => {
        const model = new Model();
        await freezeClock(database, model.now);
        const one = await newProject(operator, { plan: 'small', custom: null });
        const keys = [one, await siblingOf(operator, one)];
        await fc.asyncModelRun(
          () => ({ model, real: { admission, keys, forget: () => void (realTime += second) } }),
          sequence,
        );
      }),
      { numRuns: 50 },
    );
  } finally {
    clockOfProcess.mockRestore();
    await admission.close();
  }
});
