// Printed from src/client by npm run generate. Not for editing.

import { linkTarget } from './links.js';
/** The reply's `Deprecation`, `Sunset` and successor; null where it carries neither of the first two. */
export function readDeprecation(operation, { headers, url }) {
    const since = headers.get('deprecation');
    const sunset = headers.get('sunset');
    if (since === null && sunset === null)
        return null;
    return {
        operation,
        since: instant(Number(/^@(-?\d+)/.exec(since ?? '')?.[1]) * 1000),
        sunset: instant(Date.parse(sunset ?? '')),
        successor: linkTarget(headers.get('link'), 'successor-version', url),
    };
}
function instant(milliseconds) {
    return Number.isNaN(milliseconds) ? null : new Date(milliseconds);
}
