/** A value that JSON can write. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

export const isText = (value: JsonValue | undefined): value is string => typeof value === 'string';

export const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

export const asList = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

export const asText = (value: JsonValue | undefined): string | undefined => (isText(value) ? value : undefined);

/**
 * Takes a parsed document over as JSON, refusing what JSON has no word for.
 *
 * Objects come without a prototype, so that a property called `constructor` or `__proto__` is found only where the
 * document has it. A node that YAML shares through an alias stays shared; one that holds itself is refused.
 */
export function toJson(value: unknown, known = new Map<object, JsonValue>(), open = new Set<object>()): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (typeof value === 'bigint') return Number(value);
  // Older YAML readers make a Date of an unquoted x-sunset.
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') throw new TypeError(`A document cannot hold a ${typeof value}.`);
  const done = known.get(value);
  if (done !== undefined) return done;
  if (open.has(value)) throw new TypeError('A node of the document contains itself; use $ref for a recursive schema.');
  open.add(value);
  const copy = Array.isArray(value)
    ? value.map((item: unknown) => toJson(item, known, open))
    : bareObject(
        Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, toJson(item, known, open)]])),
      );
  open.delete(value);
  known.set(value, copy);
  return copy;
}

function bareObject(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const bare: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of entries) bare[key] = value;
  return bare;
}

/** Equality in which the order of keys does not count. */
export function sameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length && keys.every((key) => key in other && sameJson(one[key], other[key]))
    );
  }
  return false;
}

/** The items of `list` that `other` does not hold. */
export const without = (list: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] =>
  list.filter((item) => !other.some((candidate) => sameJson(item, candidate)));

/** Equality in which neither the order nor the number of the items counts. */
export const sameSet = (one: readonly JsonValue[], other: readonly JsonValue[]): boolean =>
  without(one, other).length === 0 && without(other, one).length === 0;
