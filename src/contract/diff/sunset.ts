import type { JsonValue } from './json.ts';
import { isText } from './json.ts';

/** RFC 3339 full-date or date-time; only the date counts, as with oasdiff. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/** The date of an `x-sunset` as `YYYY-MM-DD`; undefined: there is none, or no one can read it. */
export function sunsetDate(sunset: JsonValue | undefined): string | undefined {
  const date = isText(sunset) ? DATE.exec(sunset)?.[1] : undefined;
  return date !== undefined && isCalendarDay(date) ? date : undefined;
}

/** `Date.parse` takes 2026-02-30 for 2 March, so the way back must lead to the same day. */
function isCalendarDay(date: string): boolean {
  const instant = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date);
}

export const hasReached = (sunset: JsonValue | undefined, today: string): boolean => {
  const date = sunsetDate(sunset);
  return date !== undefined && date <= today;
};

const DAY = 86_400_000;

export const daysUntil = (date: string, today: string): number => (Date.parse(date) - Date.parse(today)) / DAY;
