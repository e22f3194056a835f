import type { Deprecation } from '../contract/deprecation.ts';
import { Failure } from '../failure.ts';

/** The headers of a deprecated operation, before and after its end. */
export interface DeprecationHeaders {
  /** RFC 9745 `Deprecation`, RFC 8594 `Sunset`, and where to go instead. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
}

/** `successor` is the path of the operation to use instead. */
export function deprecationHeaders(deprecation: Deprecation, successor: string): DeprecationHeaders {
  const after = {
    sunset: new Date(deprecation.sunset * 1000).toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
  };
  return { before: { deprecation: `@${deprecation.since}`, ...after }, after };
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
