import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/contract/diff/diff.ts';
import { diff, echo, ofRequest, ofResponse, withPaths, worst } from './build.ts';

const RUNS = Number(process.env.RUNS ?? 300);

/** Few words and small numbers, so that schemas and values often meet. */
const word = fc.constantFrom('a', 'ab', 'abc', 'b');
const small = fc.integer({ min: -1, max: 4 });
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  word,
  small,
  fc.constantFrom(0.5, 1.5),
  fc.boolean(),
  fc.constant(null),
);

const value: fc.Arbitrary<JsonValue> = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

const scalarSchema: fc.Arbitrary<JsonObject> = fc.oneof(
  partial({
    type: fc.constant('string'),
    minLength: fc.integer({ min: 0, max: 3 }),
    maxLength: fc.integer({ min: 0, max: 3 }),
    pattern: fc.constantFrom('^a', 'b'),
  }),
  partial({
    type: fc.constantFrom('integer', 'number'),
    minimum: small,
    exclusiveMinimum: small,
    maximum: small,
    exclusiveMaximum: small,
    multipleOf: fc.constantFrom(0.5, 1, 2),
  }),
  fc.record({ type: fc.subarray(['string', 'integer', 'boolean', 'null'], { minLength: 1 }) }),
  fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4, selector: (item) => JSON.stringify(item) }) }),
  fc.record({ const: scalar }),
);

/** `type` always, the rest perhaps. */
function partial(keywords: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> {
  return fc.record(keywords, { requiredKeys: ['type'] });
}

/**
 * Schemas in which every object lists the same properties: that a new optional property narrows an open object is a
 * change which, by convention, is none. `oneOf` is left out: that it refuses values which fit twice is not seen.
 */
const schema: fc.Arbitrary<JsonValue> = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalarSchema,
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('any'),
        minItems: small.map((size) => Math.max(size, 0)),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.record({ a: tie('any'), b: tie('any') }),
        required: fc.subarray(['a', 'b', 'c']),
        additionalProperties: fc.oneof(fc.boolean(), tie('any')),
        maxProperties: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
    fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
  ),
})).any;

/** Pairs that differ a little, and pairs that have nothing to do with each other. */
const pair: fc.Arbitrary<readonly [JsonValue, JsonValue]> = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, scalarSchema).map(([one, more]): [JsonValue, JsonValue] => [one, { allOf: [one, more] }]),
  fc.tuple(schema, schema).map(([one, more]): [JsonValue, JsonValue] => [one, { anyOf: [one, more] }]),
  fc
    .tuple(schema, schema, schema)
    .map(([one, two, three]): [JsonValue, JsonValue] => [{ anyOf: [one, two] }, { anyOf: [two, three] }]),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false });

// The judge is JSON Schema itself. It fails when a rule is missing, when allOf, anyOf, null or a list of values is
// merged wrongly, when branches are paired and then not compared, or when a direction is turned round.
describe('against a validator', { timeout: 600_000 }, () => {
  test('what the older allowed and the newer refuses is not harmless in a request', () => {
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 20, maxLength: 40 }), ([older, newer], values) => {
        if (!loses(older, newer, values)) return;
        expect(['breaking', 'warning']).toContain(worst(ofRequest(diff(echo(older), echo(newer)))));
      }),
      { numRuns: RUNS },
    );
  });

  test('what the newer allows and the older refused is not harmless in a response', () => {
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 20, maxLength: 40 }), ([newer, older], values) => {
        if (!loses(newer, older, values)) return;
        expect(['breaking', 'warning']).toContain(worst(ofResponse(diff(echo(older), echo(newer)))));
      }),
      { numRuns: RUNS },
    );
  });
});

/** One of the values is allowed by `from` and not by `to`. */
function loses(from: JsonValue, to: JsonValue, values: readonly JsonValue[]): boolean {
  const [allows, stillAllows] = [validator(from), validator(to)];
  return values.some((candidate) => allows(candidate) && !stillAllows(candidate));
}

const validator = (one: JsonValue) => ajv.compile({ allOf: [one] });

// It fails when anything is compared by identity, by order, or by the name of a component.
describe('nothing', { timeout: 600_000 }, () => {
  test('a document against itself', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect(diff(echo(one), echo(structuredClone(one)))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('keys in another order', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect(diff(echo(one), echo(reversed(one)))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('another component that no one uses', () => {
    fc.assert(
      fc.property(schema, schema, schema, (one, unused, other) => {
        const older = echo(one, { components: { schemas: { Unused: unused } } });
        const newer = echo(one, { components: { schemas: { Unused: other, AndMore: unused } } });
        expect(diff(older, newer)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('other words for people', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect(diff(echo(one), echo(described(one)))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('components that are called otherwise, even by each other’s names', () => {
    const renaming = fc.constantFrom(
      { A: 'X', B: 'Y', C: 'Z' },
      { A: 'B', B: 'C', C: 'A' },
      { A: 'B', B: 'A', C: 'C' },
    );
    fc.assert(
      fc.property(components, renaming, (schemas, names) => {
        const older = withComponents(schemas, 'A');
        const renamed = Object.fromEntries(
          Object.entries(schemas).map(([name, one]) => [newName(names, name), rename(one, names)]),
        );
        expect(diff(older, withComponents(renamed, names.A))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Three components that refer to each other and to themselves. */
const components: fc.Arbitrary<Record<string, JsonValue>> = (() => {
  const link = fc.constantFrom('A', 'B', 'C').map((name): JsonObject => ({ $ref: `#/components/schemas/${name}` }));
  const node: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({
        own: scalarSchema,
        next: link,
        maybe: fc.record({ anyOf: fc.tuple(link, fc.constant<JsonValue>({ type: 'null' })) }),
      }),
    }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({ either: fc.record({ oneOf: fc.tuple(link, link, scalarSchema) }) }),
    }),
    fc.record({ type: fc.constant('array'), items: link }),
    fc.record({ not: link, allOf: fc.tuple(link) }),
  );
  return fc.record({ A: node, B: node, C: node });
})();

const withComponents = (schemas: Record<string, JsonValue>, root: string): JsonObject =>
  echo({ $ref: `#/components/schemas/${root}` }, { components: { schemas } });

const newName = (names: Readonly<Record<string, string>>, name: string): string => names[name] ?? name;

function rename(node: JsonValue, names: Readonly<Record<string, string>>): JsonValue {
  return JSON.parse(
    JSON.stringify(node).replaceAll(
      /(#\/components\/schemas\/)(\w+)/g,
      (_, at: string, name: string) => at + newName(names, name),
    ),
  );
}

function reversed(node: JsonValue): JsonValue {
  if (Array.isArray(node)) return node.map(reversed);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

/** Every schema with a description; `properties` is no schema, and constants stay as they are. */
function described(node: JsonValue): JsonValue {
  if (Array.isArray(node)) return node.map(described);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.entries(node).map(([key, value]): [string, JsonValue] => {
    if (key === 'enum' || key === 'const' || key === 'required' || key === 'type') return [key, value];
    if (key !== 'properties' || typeof value !== 'object' || value === null) return [key, described(value)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, property]) => [name, described(property)]))];
  });
  return { ...Object.fromEntries(inner), description: 'In other words.' };
}

// It fails when a rule looks at one side only, or at an addition and not at a removal.
describe('there and back', { timeout: 600_000 }, () => {
  test('a change that is seen is seen from the other side', () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const there = diff(echo(one), echo(other));
        const back = diff(echo(other), echo(one));
        expect(back.length > 0).toBe(there.length > 0);
      }),
      { numRuns: RUNS },
    );
  });

  test('a plain narrowing breaks a request on its way, and is told in a response on its way back', () => {
    fc.assert(
      fc.property(narrowing, ([wide, narrow]) => {
        const [there, back] = [diff(echo(wide), echo(narrow)), diff(echo(narrow), echo(wide))];
        expect(worst(ofRequest(there))).toBe('breaking');
        expect(worst(ofResponse(there))).toBe('harmless');
        expect(worst(ofRequest(back))).toBe('harmless');
        expect(['breaking', 'warning']).toContain(worst(ofResponse(back)));
      }),
      { numRuns: RUNS },
    );
  });
});

/** A schema and a narrower one, which may lie deep inside others. */
const narrowing: fc.Arbitrary<readonly [JsonValue, JsonValue]> = fc
  .tuple(
    fc.constantFrom<readonly [JsonValue, JsonValue]>(
      [
        { type: 'integer', maximum: 9 },
        { type: 'integer', maximum: 8 },
      ],
      [{ type: 'string' }, { type: 'string', minLength: 1 }],
      [{ type: ['string', 'null'] }, { type: 'string' }],
      [{ type: 'number' }, { type: 'integer' }],
      [{ enum: ['a', 'b'] }, { const: 'a' }],
      [
        { type: 'object', properties: { a: true } },
        { type: 'object', properties: { a: true }, required: ['a'] },
      ],
      [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, { type: 'boolean' }],
    ),
    fc.array(fc.constantFrom('property', 'items', 'allOf', 'anyOf', 'null', 'map'), { maxLength: 4 }),
  )
  .map(([[wide, narrow], nesting]) => [nesting.reduce(wrap, wide), nesting.reduce(wrap, narrow)]);

function wrap(inner: JsonValue, nesting: string): JsonValue {
  switch (nesting) {
    case 'property':
      return { type: 'object', required: ['kind'], properties: { kind: { const: 'wrapped' }, inner } };
    case 'items':
      return { type: 'array', items: inner };
    case 'allOf':
      return { allOf: [inner, { description: 'Beside it.' }] };
    case 'anyOf':
      return {
        anyOf: [
          { type: 'object', required: ['kind', 'inner'], properties: { kind: { const: 'one' }, inner } },
          { const: 'other' },
        ],
      };
    case 'null':
      return { type: 'array', items: { anyOf: [{ type: 'array', items: inner }, { type: 'null' }] } };
    default:
      return { type: 'object', additionalProperties: inner };
  }
}

// It fails when a path is matched by its words only, or when an operation is lost on the way.
test('operations that come are harmless, operations that go are not', () => {
  const operations = fc.uniqueArray(fc.constantFrom('/a', '/a/{x}', '/a/{y}/b', '/b'), { maxLength: 4 });
  fc.assert(
    fc.property(operations, operations, (before, after) => {
      const document = (paths: readonly string[]): JsonObject =>
        withPaths(Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])));
      const changes = diff(document(before), document(after));
      expect(changes.filter(({ rule }) => rule === 'operation-added')).toHaveLength(
        after.filter((path) => !before.includes(path)).length,
      );
      expect(changes.filter(({ rule }) => rule === 'operation-removed')).toHaveLength(
        before.filter((path) => !after.includes(path)).length,
      );
    }),
  );
});
