import { linkTarget } from './links.ts';
import type { OperationId } from './operation.ts';

/** What a reply said of its operation's end. */
export interface Deprecation {
  readonly operation: OperationId;
  /** Since when it is deprecated (`Deprecation`, RFC 9745); null where the reply does not say. */
  readonly since: Date | null;
  /** From when on it answers 410 (`Sunset`, RFC 8594); null where the reply does not say. */
  readonly sunset: Date | null;
  /** The address to use instead (`Link: rel="successor-version"`, RFC 5829); null where the reply does not say. */
  readonly successor: URL | null;
}

/** The reply's `Deprecation`, `Sunset` and successor; null where it carries neither of the first two. */
export function readDeprecation(operation: OperationId, { headers, url }: Response): Deprecation | null {
  const since = headers.get('deprecation');
  const sunset = headers.get('sunset');
  if (since === null && sunset === null) return null;
  return {
    operation,
    since: instant(Number(/^@(-?\d+)/.exec(since ?? '')?.[1]) * 1000),
    sunset: instant(Date.parse(sunset ?? '')),
    successor: linkTarget(headers.get('link'), 'successor-version', url),
  };
}

function instant(milliseconds: number): Date | null {
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds);
}
