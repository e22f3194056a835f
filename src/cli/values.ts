import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { largestQuota } from '../contract/limits.ts';

// What options take, for commander: the value, or an error that says what is taken.

/** A whole number of requests, 1 to 1,000,000,000. */
export function quotaNumber(text: string): number {
  const value = Number(text);
  if (!/^[1-9]\d{0,9}$/.test(text) || value > largestQuota)
    throw new InvalidArgumentError(`It takes a whole number from 1 to ${largestQuota}.`);
  return value;
}

/** An instant in the future: a date is its first instant in UTC, a time needs its offset. */
export function instant(text: string): Date {
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  const date = new Date(text);
  // 2030-02-30 is read as the second of March; a day that does not come back as it was written does not exist.
  const exists =
    day !== undefined && !Number.isNaN(date.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (!exists)
    throw new InvalidArgumentError('It takes an ISO 8601 date or instant: 2027-01-31 or 2027-01-31T12:00:00Z.');
  if (date.getTime() <= Date.now())
    throw new InvalidArgumentError('It lies in the past, so the key would be refused at once.');
  return date;
}

/** A text that PostgreSQL holds unchanged and a table shows in one line. */
export function label(text: string): string {
  if (text.length > 200 || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError('It takes up to 200 characters without control characters.');
  return text;
}

/** A number of processes, 1 to 64; `auto` is one for each core. */
export function workers(text: string): number {
  if (text === 'auto') return availableParallelism();
  if (!/^[1-9]\d?$/.test(text) || Number(text) > 64)
    throw new InvalidArgumentError('It takes a whole number from 1 to 64, or auto.');
  return Number(text);
}
