import type { JsonObject } from './document.ts';
import { member } from './document.ts';

/** A deprecated operation's fate, as openapi.yaml has it. */
export interface Deprecation {
  /** First instant of the day it was deprecated, Unix seconds. */
  readonly since: number;
  /** First instant of the day it is removed, Unix seconds. */
  readonly sunset: number;
  /** The same day, as written: YYYY-MM-DD. */
  readonly sunsetDay: string;
  /** The operationId to use instead. */
  readonly replacedBy: string;
}

/**
 * What `operation` says of its end: null where it is not deprecated. `deprecated: true` and the three extensions come
 * together or not at all; what is wrong goes to `problem`.
 */
export function readDeprecation(
  operation: JsonObject,
  operationIds: ReadonlySet<string>,
  problem: (text: string) => void,
): Deprecation | null {
  const at = member(operation, 'x-deprecated-at');
  const sunset = member(operation, 'x-sunset');
  const replacedBy = member(operation, 'x-replaced-by');
  if (member(operation, 'deprecated') !== true) {
    for (const name of ['x-deprecated-at', 'x-sunset', 'x-replaced-by'])
      if (member(operation, name) !== undefined) problem(`${name} without deprecated: true; add it, or remove ${name}`);
    return null;
  }
  const since = firstInstant(at);
  const end = firstInstant(sunset);
  if (since === null) problem(`deprecated: true needs x-deprecated-at: 'YYYY-MM-DD', a quoted date that exists`);
  if (end === null || typeof sunset !== 'string') {
    problem(`deprecated: true needs x-sunset: 'YYYY-MM-DD', a quoted date that exists`);
    return null;
  }
  if (typeof replacedBy !== 'string' || !operationIds.has(replacedBy)) {
    problem('deprecated: true needs x-replaced-by with the operationId of another operation in this document');
    return null;
  }
  if (replacedBy === member(operation, 'operationId')) problem('x-replaced-by names the operation itself');
  if (since === null) return null;
  if (end < since) problem('x-sunset lies before x-deprecated-at; RFC 9745 does not allow it');
  return { since, sunset: end, sunsetDay: sunset, replacedBy };
}

function firstInstant(day: unknown): number | null {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const instant = new Date(`${day}T00:00:00Z`);
  // 2030-02-30 would roll over to March; a date that does not come back as it was written does not exist.
  return Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(day) ? null : instant.getTime() / 1000;
}
