import { isIPv6 } from 'node:net';
import type { Quota } from '../contract/limits.ts';
import { Failure } from '../failure.ts';
import { type Usage, windowEnd } from '../store/verdict.ts';

const minute = 60_000;
const day = 86_400_000;

/** Names and values in turn, as they are set on a reply. */
export type LimitHeaders = Readonly<Record<string, string>>;

/** The rate limit headers of every response: the tightest window in X-RateLimit-*, both windows in RateLimit. */
export function limitHeaders({ perMinute, perDay, minuteUsed, dayUsed, minuteEnd, dayEnd, now }: Usage): LimitHeaders {
  const minuteLeft = Math.max(0, perMinute - minuteUsed);
  const dayLeft = Math.max(0, perDay - dayUsed);
  // On a tie the window that resets later, which is the day.
  const byMinute = minuteLeft < dayLeft;
  return headers(
    byMinute ? perMinute : perDay,
    byMinute ? minuteLeft : dayLeft,
    (byMinute ? minuteEnd : dayEnd) / 1000,
    { perMinute, perDay },
    `"minute";r=${minuteLeft};t=${secondsUntil(minuteEnd, now)}, "day";r=${dayLeft};t=${secondsUntil(dayEnd, now)}`,
  );
}

/** The headers of a 503: nothing is left until the retry. `now` in Unix milliseconds, `retryAfter` in seconds. */
export function unavailableHeaders(quota: Quota, now: number, retryAfter: number): LimitHeaders {
  return headers(
    quota.perMinute,
    0,
    Math.ceil(now / 1000) + retryAfter,
    quota,
    `"minute";r=0;t=${retryAfter}, "day";r=0;t=${retryAfter}`,
  );
}

function headers(limit: number, remaining: number, reset: number, quota: Quota, rateLimit: string): LimitHeaders {
  return {
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${reset}`,
    'ratelimit-policy': `"minute";q=${quota.perMinute};w=60, "day";q=${quota.perDay};w=86400`,
    ratelimit: rateLimit,
  };
}

/** 429 for a used up quota; who waits as long as it says finds the window turned. */
export function limited(usage: Usage): Failure {
  const isDay = usage.dayUsed >= usage.perDay;
  const retryAfter = secondsUntil(windowEnd(usage), usage.now);
  const quota = isDay ? `${usage.perDay} requests per day` : `${usage.perMinute} requests per minute`;
  return new Failure('rate_limit_exceeded', `The quota of ${quota} is used up. Retry after ${retryAfter} seconds.`, {
    retryAfter,
  });
}

/** 429 for a key that is banned until `until` (Unix milliseconds). */
export function banned(until: number, now: number): Failure {
  const retryAfter = secondsUntil(until, now);
  return new Failure(
    'api_key_banned',
    `This API key is banned for a while: it went on sending after 429s. Retry after ${retryAfter} seconds.`,
    { retryAfter },
  );
}

function secondsUntil(end: number, now: number): number {
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** What an address has used, and of which minute and day since the Unix epoch. */
interface Used {
  minute: number;
  minuteUsed: number;
  day: number;
  dayUsed: number;
}

/** Addresses held at once (some 10 MB); past that, the one unseen for longest begins anew. */
const addressesHeld = 50_000;

/** The quota of callers without a valid key, by address, kept by this instance. */
export class Addresses {
  readonly #quota: Quota;
  readonly #used = new Map<string, Used>();

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /** What `ip` has used at `now` (Unix milliseconds), with nothing taken. */
  look(ip: string, now: number): Usage {
    return this.#usage(this.#entry(ip, now), now);
  }

  /** Takes one request of `ip`'s quota; `admitted` is false where there was none left, and then none is taken. */
  take(ip: string, now: number): { readonly admitted: boolean; readonly usage: Usage } {
    const entry = this.#entry(ip, now);
    const admitted = entry.minuteUsed < this.#quota.perMinute && entry.dayUsed < this.#quota.perDay;
    if (admitted) {
      entry.minuteUsed++;
      entry.dayUsed++;
    }
    return { admitted, usage: this.#usage(entry, now) };
  }

  #entry(ip: string, now: number) {
    const key = network(ip);
    const current = { minute: Math.floor(now / minute), day: Math.floor(now / day) };
    const entry = this.#used.get(key) ?? { ...current, minuteUsed: 0, dayUsed: 0 };
    // Only forward: a clock that is set back a little, as every new reading may, does not give a window twice.
    if (entry.minute < current.minute) Object.assign(entry, { minute: current.minute, minuteUsed: 0 });
    if (entry.day < current.day) Object.assign(entry, { day: current.day, dayUsed: 0 });
    // A Map keeps the order of insertion, so the first one is the one unseen for longest.
    this.#used.delete(key);
    this.#used.set(key, entry);
    if (this.#used.size > addressesHeld) this.#used.delete(this.#used.keys().next().value ?? '');
    return entry;
  }

  #usage(entry: Used, now: number): Usage {
    const { minuteUsed, dayUsed } = entry;
    return {
      ...this.#quota,
      minuteUsed,
      dayUsed,
      minuteEnd: (entry.minute + 1) * minute,
      dayEnd: (entry.day + 1) * day,
      now,
    };
  }
}

/** The part of an address that one caller holds: all of an IPv4 address, the first 64 bits of an IPv6 address. */
export function network(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = (ip.split('%')[0] ?? ip).toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
