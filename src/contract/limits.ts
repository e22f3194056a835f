import { ContractError, entries, isObject, items, type Json, type JsonObject, member } from './document.ts';

/** Requests per UTC minute and per UTC day. */
export interface Quota {
  readonly perMinute: number;
  readonly perDay: number;
}

/** What openapi.yaml's `x-rate-limits` promises. */
export interface Limits {
  /** By plan name; `custom` where every project has its own numbers. */
  readonly plans: ReadonlyMap<string, Quota | 'custom'>;
  /** The quota of an address, for requests without a valid key. */
  readonly anonymous: Quota;
  readonly ban: {
    /** Length in seconds by level; the last one holds for every higher level. */
    readonly durations: readonly [number, ...number[]];
    /** Seconds after the end of a ban in which the level falls by one, if there is no new ban. */
    readonly cleanPeriod: number;
  };
}

/** The largest quota: it and every sum of it fit a PostgreSQL integer. */
export const largestQuota = 1_000_000_000;

/** The most that a body may have, in bytes; the document says it in words (413). */
export const bodyLimit = 65_536;

/** The most that a request's line and headers may have together, in bytes; the document says it in words (431). */
export const headerLimit = 16_384;

/** Reads `x-rate-limits`. Throws `ContractError` that names every missing or unclear number. */
export function readLimits(root: JsonObject): Limits {
  const problems: string[] = [];
  const limits = member(root, 'x-rate-limits');

  const number = (value: Json | undefined, place: string, what: string): number => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= largestQuota) return value;
    problems.push(`${place} must be a whole number from 1 to ${largestQuota}: ${what}`);
    return 1;
  };
  const known = (value: Json | undefined, place: string, names: readonly string[]) => {
    for (const [name] of entries(value))
      if (!names.includes(name)) problems.push(`${place}.${name} means nothing here; known are ${names.join(', ')}`);
  };
  const quota = (value: Json | undefined, place: string): Quota => {
    known(value, place, ['perMinute', 'perDay']);
    return {
      perMinute: number(member(value, 'perMinute'), `${place}.perMinute`, 'requests per UTC minute'),
      perDay: number(member(value, 'perDay'), `${place}.perDay`, 'requests per UTC day'),
    };
  };

  if (!isObject(limits)) {
    throw new ContractError(['x-rate-limits is missing at the root; it holds plans, anonymous and ban']);
  }
  known(limits, 'x-rate-limits', ['plans', 'anonymous', 'ban']);

  const plans = new Map<string, Quota | 'custom'>();
  for (const [name, value] of entries(member(limits, 'plans'))) {
    const place = `x-rate-limits.plans.${name}`;
    if (!/^[a-z][a-z0-9-]*$/.test(name)) problems.push(`${place}: write a plan's name in small letters and digits`);
    const custom = [member(value, 'perMinute'), member(value, 'perDay')].filter((part) => part === 'custom').length;
    if (custom === 1) problems.push(`${place}: either both perMinute and perDay are custom, or neither is`);
    plans.set(name, custom === 2 ? 'custom' : quota(value, place));
  }
  if (plans.size === 0) problems.push('x-rate-limits.plans must name at least one plan');

  const anonymous = quota(member(limits, 'anonymous'), 'x-rate-limits.anonymous');

  const ban = member(limits, 'ban');
  known(ban, 'x-rate-limits.ban', ['durations', 'cleanPeriod']);
  const [first, ...rest] = items(member(ban, 'durations')).map((value, level) =>
    number(value, `x-rate-limits.ban.durations[${level}]`, 'seconds of a ban at this level'),
  );
  if (first === undefined)
    problems.push('x-rate-limits.ban.durations must list the length of a ban, in seconds, by level');
  const cleanPeriod = number(
    member(ban, 'cleanPeriod'),
    'x-rate-limits.ban.cleanPeriod',
    'seconds until the level falls',
  );

  if (problems.length > 0) throw new ContractError(problems);
  return { plans, anonymous, ban: { durations: [first ?? 1, ...rest], cleanPeriod } };
}
