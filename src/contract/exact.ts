import { at, entries, isObject, items, type Json, type JsonObject, member } from './document.ts';

/** A schema of which only that is left which leads to an int64; `{}` where nothing does. */
export interface ExactSchema {
  readonly [keyword: string]: string | ExactSchema | readonly ExactSchema[];
}

const one = ['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'if', 'then', 'else'];
const list = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const map = ['properties', 'patternProperties', 'dependentSchemas'];

/**
 * Cuts schemas down to what leads to an int64: what a client must know to read a body exactly. `of` gives null where
 * nothing does; `referred` holds, by their `$ref`, the schemas that those refer to, recursive ones too.
 */
export function exactSchemas(root: JsonObject): {
  of(schema: Json): ExactSchema | null;
  readonly referred: ReadonlyMap<string, ExactSchema>;
} {
  const target = (schema: JsonObject): Json =>
    typeof schema['$ref'] === 'string' ? (at(root, schema['$ref']) ?? null) : null;

  const leads = (schema: Json | undefined, seen = new Set<Json>()): boolean => {
    if (!isObject(schema) || seen.has(schema)) return false;
    seen.add(schema);
    const inner = [
      target(schema),
      ...one.map((keyword) => member(schema, keyword)),
      ...list.flatMap((keyword) => items(member(schema, keyword))),
      ...map.flatMap((keyword) => Object.values(member(schema, keyword) ?? {})),
    ];
    return member(schema, 'format') === 'int64' || inner.some((part) => leads(part, seen));
  };

  const referred = new Map<string, ExactSchema>();
  const cut = (schema: Json): ExactSchema => {
    if (!isObject(schema) || !leads(schema)) return {};
    const rest: Record<string, ExactSchema[string]> = {};
    if (member(schema, 'format') === 'int64') rest['format'] = 'int64';
    const ref = member(schema, '$ref');
    if (typeof ref === 'string' && leads(target(schema))) {
      rest['$ref'] = ref;
      if (!referred.has(ref)) {
        referred.set(ref, {}); // for a schema that refers to itself
        referred.set(ref, cut(target(schema)));
      }
    }
    for (const keyword of one) {
      const part = member(schema, keyword);
      if (part !== undefined && leads(part)) rest[keyword] = cut(part);
    }
    for (const keyword of list) {
      const parts = items(member(schema, keyword));
      if (parts.some((part) => leads(part))) rest[keyword] = parts.map(cut);
    }
    // A name without an int64 stays too where others are open: additionalProperties does not speak of it.
    const open = [rest['additionalProperties'], rest['unevaluatedProperties']].some((part) => part !== undefined);
    for (const keyword of map) {
      const parts = entries(member(schema, keyword)).filter(([, part]) => open || leads(part));
      if (parts.length > 0) rest[keyword] = Object.fromEntries(parts.map(([name, part]) => [name, cut(part)]));
    }
    return rest;
  };
  return { of: (schema) => (leads(schema) ? cut(schema) : null), referred };
}
