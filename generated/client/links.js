// Printed from src/client by npm run generate. Not for editing.

const quoted = String.raw `"(?:[^"\\]|\\.)*"`;
const parameter = String.raw `\s*;\s*([^\s=;,"]+)\s*(?:=\s*(${quoted}|[^\s;,"]*))?`;
const link = new RegExp(`<([^<>]*)>((?:${parameter})*)`, 'g');
/**
 * The target of the first link of relation `rel` in a `Link` header (RFC 8288), made absolute with `base`; null where
 * there is none. A link with an `anchor` speaks of something else than the reply, and is passed over.
 */
export function linkTarget(header, rel, base) {
    for (const [, target = '', text = ''] of (header ?? '').matchAll(link)) {
        const parameters = new Map();
        for (const [, name = '', value = ''] of text.matchAll(new RegExp(parameter, 'g'))) {
            const key = name.toLowerCase();
            // Only the first of a name counts (RFC 8288, 3.3).
            if (!parameters.has(key))
                parameters.set(key, value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value);
        }
        const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/);
        if (relations.includes(rel) && !parameters.has('anchor') && URL.canParse(target, base))
            return new URL(target, base);
    }
    return null;
}
