// Printed from src/client by npm run generate. Not for editing.

import type { OperationId } from './operation.js';
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
export declare function readDeprecation(operation: OperationId, { headers, url }: Response): Deprecation | null;
