import type { Deprecation } from '../contract/deprecation.ts';
import { Failure } from '../failure.ts';

/**
 * The headers of a deprecated operation: RFC 9745 `Deprecation`, RFC 8594 `Sunset`, and where to go instead.
 * `successor` is the path of the operation to use instead.
 */
export function deprecationHeaders(deprecation: Deprecation, successor: string): Readonly<Record<string, string>> {
  return {
    deprecation: `@${deprecation.since}`,
    sunset: new Date(deprecation.sunset * 1000).toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
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
