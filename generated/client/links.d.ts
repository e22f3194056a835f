// Printed from src/client by npm run generate. Not for editing.

/**
 * The target of the first link of relation `rel` in a `Link` header (RFC 8288), made absolute with `base`; null where
 * there is none. A link with an `anchor` speaks of something else than the reply, and is passed over.
 */
export declare function linkTarget(header: string | null, rel: string, base: string): URL | null;
