import type { Contract } from '../contract/contract.ts';
import type { Deprecation } from '../contract/deprecation.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure } from '../failure.ts';

/**
 * The headers of a deprecated operation: RFC 9745 `Deprecation`, RFC 8594 `Sunset`, and where to go instead. Null for
 * all others.
 */
export function deprecationHeaders(
  { basePath, operations }: Contract,
  { deprecation }: Operation,
): Readonly<Record<string, string>> | null {
  const successor = deprecation && operations.get(deprecation.replacedBy);
  if (!deprecation || !successor) return null;
  return {
    deprecation: `@${deprecation.since}`,
    sunset: new Date(deprecation.sunset * 1000).toUTCString(),
    link: `<${basePath}${successor.path}>; rel="successor-version"`,
  };
}

/** Whether the operation has come to its end at `now` (Unix milliseconds). */
export function isRemoved(deprecation: Deprecation | null, now: number): boolean {
  return deprecation !== null && now >= deprecation.sunset * 1000;
}

export function removed(operationId: string, deprecation: Deprecation): Failure {
  return new Failure(
    'operation_removed',
    `${operationId} was removed on ${deprecation.sunsetDay}. Use ${deprecation.replacedBy} instead.`,
  );
}
