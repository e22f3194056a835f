import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/contract/document.ts';
import { problems, readEdited } from './edited.ts';

const at = (...place: (string | number)[]) => ['x-rate-limits', ...place];

test('the plans, the quota of callers without a key and the terms of a ban are the document’s', () => {
  const { limits } = readEdited(
    [at('plans', 'free', 'perMinute'), 7],
    [at('anonymous', 'perDay'), 8],
    [at('ban', 'durations'), [9, 10]],
  );
  expect(limits.plans.get('free')).toEqual({ perMinute: 7, perDay: 1000 });
  expect(limits.plans.get('enterprise')).toBe('custom');
  expect(limits.anonymous).toEqual({ perMinute: 300, perDay: 8 });
  expect(limits.ban.durations).toEqual([9, 10]);
});

test('refuses a document without x-rate-limits', () => {
  expect(problems([['x-rate-limits'], undefined])).toEqual([
    expect.stringContaining('x-rate-limits is missing at the root'),
  ]);
});

describe('refuses, for a number,', () => {
  const places: (string | number)[][] = [
    ['plans', 'free', 'perMinute'],
    ['plans', 'business', 'perDay'],
    ['anonymous', 'perMinute'],
    ['anonymous', 'perDay'],
    ['ban', 'cleanPeriod'],
  ];
  test.each(places.map((place) => [place.join('.'), place] as const))('anything unclear at %s', (name, place) => {
    for (const value of [undefined, null, 0, -1, 1.5, 1_000_000_001, '60', true, [60]])
      expect(problems([at(...place), value]), String(value)).toEqual([
        expect.stringContaining(`x-rate-limits.${name} must be a whole number from 1 to 1000000000`),
      ]);
  });

  test('anything unclear among the lengths of a ban', () => {
    expect(problems([at('ban', 'durations'), [300, 0]])).toEqual([
      expect.stringContaining('x-rate-limits.ban.durations[1] must be a whole number'),
    ]);
  });
});

test.each<[string, (string | number)[], Json | undefined, string]>([
  ['an unknown key at the top', ['bans'], {}, 'x-rate-limits.bans means nothing here'],
  ['an unknown key of a plan', ['plans', 'free', 'perHour'], 5, 'x-rate-limits.plans.free.perHour means nothing here'],
  ['an unknown key of anonymous', ['anonymous', 'perHour'], 5, 'x-rate-limits.anonymous.perHour means nothing here'],
  ['an unknown key of ban', ['ban', 'duration'], 5, 'x-rate-limits.ban.duration means nothing here'],
  ['no plans', ['plans'], {}, 'x-rate-limits.plans must name at least one plan'],
  [
    'a name that no command line could take',
    ['plans', 'My Plan'],
    { perMinute: 1, perDay: 1 },
    'x-rate-limits.plans.My Plan: write a plan',
  ],
  ['a ban without lengths', ['ban', 'durations'], undefined, 'x-rate-limits.ban.durations must list'],
])('refuses %s', (_, place, value, refusal) => {
  expect(problems([at(...place), value])).toEqual([expect.stringContaining(refusal)]);
});

test('refuses a plan that is custom by half', () => {
  expect(problems([at('plans', 'free', 'perDay'), 'custom'])[0]).toContain(
    'x-rate-limits.plans.free: either both perMinute and perDay are custom',
  );
});
