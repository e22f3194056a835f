import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/contract/diff/diff.ts';
import { diffContracts } from '../../../src/contract/diff/diff.ts';
import type { Verdict } from './build.ts';
import { diff, echo, ofRequest, ofResponse, rulesOf, withOperation, withPaths, worst } from './build.ts';

/** Two schemas, what the change means where a consumer writes the value, where it reads it, and the rules that see it. */
type SchemaRow = readonly [
  title: string,
  older: JsonValue,
  newer: JsonValue,
  request: Verdict,
  response: Verdict,
  rules: string,
  components?: JsonObject,
];

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const object = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  ...more,
});
const closed = { additionalProperties: false };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const tagged = (kind: string, more: JsonObject = {}): JsonObject =>
  object({ kind: { const: kind }, ...more }, ['kind']);
const CAT = tagged('cat', { lives: integer });
const DOG = tagged('dog', { tricks: integer });
const FISH = tagged('fish', { fins: integer });
const MANY = Array.from({ length: 9 }, (_, index) => tagged(`kind ${index}`));
const PETS = { Cat: CAT, Dog: DOG, Fish: FISH };

// biome-ignore format: one pair a line.
const SCHEMAS: readonly SchemaRow[] = [
  // Types
  ['number to integer', number, integer, 'breaking', 'harmless', 'type-narrowed'],
  ['integer to number', integer, number, 'harmless', 'breaking', 'type-widened'],
  ['integer to string: ids outgrow numbers', integer, string, 'breaking', 'breaking', 'type-changed'],
  ['string to list of strings', string, { type: 'array', items: string }, 'breaking', 'breaking', 'type-changed'],
  ['another type, with bounds', string, { type: 'integer', maximum: 5 }, 'breaking', 'breaking', 'type-changed'],
  ['one more type', string, { type: ['string', 'integer'] }, 'harmless', 'breaking', 'type-widened'],
  ['one type fewer', { type: ['string', 'integer'] }, string, 'breaking', 'harmless', 'type-narrowed'],
  ['types in another order', { type: ['string', 'null'] }, { type: ['null', 'string'] }, 'none', 'none', ''],
  ['a list of one type', string, { type: ['string'] }, 'none', 'none', ''],
  ['integer beside number says nothing', number, { type: ['integer', 'number'] }, 'none', 'none', ''],
  ['a type where none was', {}, string, 'breaking', 'harmless', 'type-narrowed'],
  ['no type where one was', string, {}, 'harmless', 'breaking', 'type-widened'],
  ['the empty schema and true', {}, true, 'none', 'none', ''],
  ['null allowed', string, { type: ['string', 'null'] }, 'harmless', 'breaking', 'null-allowed'],
  ['null forbidden', { type: ['string', 'null'] }, string, 'breaking', 'harmless', 'null-forbidden'],
  ['null by anyOf', ref('Cat'), { anyOf: [ref('Cat'), { type: 'null' }] }, 'harmless', 'breaking', 'null-allowed', PETS],
  ['null by type or by anyOf', { type: ['string', 'null'] }, { anyOf: [string, { type: 'null' }] }, 'none', 'none', ''],
  ['null by oneOf or by anyOf', { oneOf: [ref('Cat'), { type: 'null' }] }, { anyOf: [{ type: 'null' }, ref('Cat')] }, 'none', 'none', '', PETS],
  ['null in an enum', { enum: ['a'] }, { enum: ['a', null] }, 'harmless', 'breaking', 'null-allowed'],

  // Values
  ['enum value removed', { enum: ['a', 'b'] }, { enum: ['a'] }, 'breaking', 'harmless', 'enum-value-removed'],
  ['enum value added', { enum: ['a'] }, { enum: ['a', 'b'] }, 'harmless', 'warning', 'enum-value-added'],
  ['enum value renamed', { enum: ['a', 'colour'] }, { enum: ['a', 'color'] }, 'breaking', 'warning', 'enum-value-added enum-value-removed'],
  ['enum in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, 'none', 'none', ''],
  ['enum to const', { enum: ['a', 'b'] }, { const: 'a' }, 'breaking', 'harmless', 'enum-value-removed'],
  ['const to enum', { const: 'a' }, { enum: ['a', 'b'] }, 'harmless', 'warning', 'enum-value-added'],
  ['const and an enum of one', { const: 'a' }, { enum: ['a'] }, 'none', 'none', ''],
  ['const changed', { const: 'v1' }, { const: 'v2' }, 'breaking', 'breaking', 'enum-replaced'],
  ['const added', string, { type: 'string', const: 'close' }, 'breaking', 'harmless', 'enum-introduced'],
  ['const removed', { type: 'string', const: 'close' }, string, 'harmless', 'warning', 'enum-dropped'],
  ['enum of numbers where 1 and 1.0 are one', { enum: [1, 2] }, { enum: [1.0, 2.0] }, 'none', 'none', ''],
  ['enum and a union of constants', { enum: ['a', 'b'] }, { oneOf: [{ const: 'a' }, { const: 'b', title: 'Bee' }] }, 'none', 'none', ''],
  ['enum instead of bounds that it keeps', { type: 'string', minLength: 1 }, { type: 'string', enum: ['a', 'b'] }, 'breaking', 'harmless', 'enum-introduced'],
  ['enum with a value that the bounds forbade', { type: 'string', maxLength: 1 }, { type: 'string', enum: ['a', 'bb'] }, 'breaking', 'warning', 'enum-introduced enum-value-added'],
  ['enum value that its own bounds forbid', { enum: ['a', 'bb'], maxLength: 1 }, { enum: ['a'], maxLength: 1 }, 'none', 'none', ''],
  ['enum of objects, keys in another order', { enum: [{ a: 1, b: 2 }] }, { enum: [{ b: 2, a: 1 }] }, 'none', 'none', ''],
  ['two enums at once, written as what they leave', { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, { const: 'b' }, 'none', 'none', ''],
  ['error code added', { type: 'string', 'x-extensible-enum': ['gone'] }, { type: 'string', 'x-extensible-enum': ['gone', 'new'] }, 'harmless', 'harmless', 'known-value-added'],
  ['error code removed', { type: 'string', 'x-extensible-enum': ['gone', 'new'] }, { type: 'string', 'x-extensible-enum': ['new'] }, 'breaking', 'breaking', 'known-value-removed'],

  // Bounds
  ['page bound lowered', { type: 'integer', maximum: 100 }, { type: 'integer', maximum: 50 }, 'breaking', 'harmless', 'maximum-lowered'],
  ['page bound raised', { type: 'integer', maximum: 100 }, { type: 'integer', maximum: 200 }, 'harmless', 'breaking', 'maximum-raised'],
  ['first maximum', integer, { type: 'integer', maximum: 5 }, 'breaking', 'harmless', 'maximum-lowered'],
  ['no maximum any more', { type: 'integer', maximum: 5 }, integer, 'harmless', 'breaking', 'maximum-raised'],
  ['minimum raised', { type: 'number', minimum: 0 }, { type: 'number', minimum: 1 }, 'breaking', 'harmless', 'minimum-raised'],
  ['minimum below zero', { type: 'integer', minimum: 0 }, { type: 'integer', minimum: -1 }, 'harmless', 'breaking', 'minimum-lowered'],
  ['exclusive bound of a number', { type: 'number', minimum: 0 }, { type: 'number', exclusiveMinimum: 0 }, 'breaking', 'harmless', 'minimum-raised'],
  ['exclusive bound of an integer', { type: 'integer', minimum: 1 }, { type: 'integer', exclusiveMinimum: 0 }, 'none', 'none', ''],
  ['exclusive maximum of an integer', { type: 'integer', maximum: 9 }, { type: 'integer', exclusiveMaximum: 10 }, 'none', 'none', ''],
  ['both bounds moved: narrower above, wider below', { type: 'integer', minimum: 5, maximum: 9 }, { type: 'integer', minimum: 1, maximum: 8 }, 'breaking', 'breaking', 'maximum-lowered minimum-lowered'],
  ['maximum between two integers', { type: 'number', maximum: 1.5 }, { type: 'number', maximum: 1.2 }, 'breaking', 'harmless', 'maximum-lowered'],
  ['minimum between two integers', { type: 'number', minimum: 1.5 }, { type: 'number', minimum: 1.2 }, 'harmless', 'breaking', 'minimum-lowered'],
  ['an integer has no room between', { type: 'integer', minimum: 1.2, maximum: 3.9 }, { type: 'integer', minimum: 1.5, maximum: 3.1 }, 'none', 'none', ''],
  ['a bound of numbers on text', string, { type: 'string', maximum: 5 }, 'none', 'none', ''],
  ['name may be longer', { type: 'string', maxLength: 100 }, { type: 'string', maxLength: 255 }, 'harmless', 'breaking', 'max-length-raised'],
  ['name must be shorter', { type: 'string', maxLength: 255 }, { type: 'string', maxLength: 100 }, 'breaking', 'harmless', 'max-length-lowered'],
  ['empty text refused', string, { type: 'string', minLength: 1 }, 'breaking', 'harmless', 'min-length-raised'],
  ['minLength 0 says nothing', string, { type: 'string', minLength: 0 }, 'none', 'none', ''],
  ['more items', { type: 'array', maxItems: 10 }, { type: 'array', maxItems: 20 }, 'harmless', 'breaking', 'max-items-raised'],
  ['at least one item', { type: 'array' }, { type: 'array', minItems: 1 }, 'breaking', 'harmless', 'min-items-raised'],
  ['unique items', { type: 'array' }, { type: 'array', uniqueItems: true }, 'breaking', 'harmless', 'unique-items-demanded'],
  ['fewer properties', { type: 'object' }, { type: 'object', maxProperties: 3 }, 'breaking', 'harmless', 'max-properties-lowered'],
  ['multipleOf 0.1 to 0.3, despite binary fractions', { type: 'number', multipleOf: 0.1 }, { type: 'number', multipleOf: 0.3 }, 'breaking', 'harmless', 'multiple-of-narrowed'],
  ['multipleOf dropped', { type: 'number', multipleOf: 2 }, number, 'harmless', 'breaking', 'multiple-of-widened'],
  ['pattern added', string, { type: 'string', pattern: '^a' }, 'breaking', 'harmless', 'pattern-added'],
  ['pattern removed', { type: 'string', pattern: '^a' }, string, 'harmless', 'warning', 'pattern-removed'],
  ['pattern changed', { type: 'string', pattern: '^a' }, { type: 'string', pattern: '^ab' }, 'warning', 'warning', 'pattern-changed'],
  ['int32 to int64', { type: 'integer', format: 'int32' }, { type: 'integer', format: 'int64' }, 'harmless', 'breaking', 'format-widened'],
  ['int64 to int32', { type: 'integer', format: 'int64' }, { type: 'integer', format: 'int32' }, 'breaking', 'harmless', 'format-narrowed'],
  ['date to date-time', { type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }, 'breaking', 'breaking', 'format-changed'],
  ['format dropped', { type: 'string', format: 'uuid' }, string, 'harmless', 'warning', 'format-removed'],
  ['format added', string, { type: 'string', format: 'email' }, 'breaking', 'harmless', 'format-added'],

  // Objects
  ['new optional property', object({ a: string }), object({ a: string, b: string }), 'harmless', 'harmless', 'optional-property-added'],
  ['new required property', object({ a: string }), object({ a: string, b: string }, ['b']), 'breaking', 'harmless', 'required-property-added'],
  ['new required property with a default', object({}), object({ b: { type: 'string', default: 'x' } }, ['b']), 'breaking', 'harmless', 'required-property-added'],
  ['required property removed', object({ a: string }, ['a']), object({}), 'harmless', 'breaking', 'required-property-removed'],
  ['optional property removed', object({ a: string }), object({}), 'harmless', 'warning', 'optional-property-removed'],
  ['property renamed', object({ a: string }, ['a']), object({ b: string }, ['b']), 'breaking', 'breaking', 'required-property-added required-property-removed'],
  ['property removed from a closed object', object({ a: string, b: string }, [], closed), object({ a: string }, [], closed), 'breaking', 'warning', 'optional-property-forbidden'],
  ['property added to a closed object', object({ a: string }, [], closed), object({ a: string, b: string }, [], closed), 'harmless', 'breaking', 'property-added-to-closed-object'],
  ['became required', object({ a: string }), object({ a: string }, ['a']), 'breaking', 'harmless', 'property-became-required'],
  ['became optional', object({ a: string }, ['a']), object({ a: string }), 'harmless', 'breaking', 'property-became-optional'],
  ['required in another order', object({ a: string, b: string }, ['a', 'b']), object({ b: string, a: string }, ['b', 'a']), 'none', 'none', ''],
  ['required, though not listed', object({}), object({}, ['a']), 'breaking', 'harmless', 'property-became-required'],
  ['closed', object({ a: string }), object({ a: string }, [], closed), 'breaking', 'harmless', 'other-properties-forbidden'],
  ['opened', object({ a: string }, [], closed), object({ a: string }), 'harmless', 'warning', 'other-properties-allowed'],
  ['map of text to map of numbers', { type: 'object', additionalProperties: string }, { type: 'object', additionalProperties: number }, 'breaking', 'breaking', 'type-changed'],
  ['map typed', { type: 'object', additionalProperties: true }, { type: 'object', additionalProperties: string }, 'breaking', 'harmless', 'type-narrowed'],
  ['additionalProperties true and {}', { type: 'object', additionalProperties: true }, { type: 'object', additionalProperties: {} }, 'none', 'none', ''],
  ['closed by unevaluatedProperties', object({ a: string }), object({ a: string }, [], { unevaluatedProperties: false }), 'breaking', 'harmless', 'other-properties-forbidden'],
  ['deep inside', object({ a: { type: 'array', items: object({ b: integer }) } }), object({ a: { type: 'array', items: object({ b: string }) } }), 'breaking', 'breaking', 'type-changed'],
  ['items typed', { type: 'array' }, { type: 'array', items: string }, 'breaking', 'harmless', 'type-narrowed'],
  ['items untyped', { type: 'array', items: string }, { type: 'array' }, 'harmless', 'breaking', 'type-widened'],
  ['a property called constructor', object({}), object({ constructor: string }), 'harmless', 'harmless', 'optional-property-added'],
  ['readOnly and required: never sent', object({ id: { ...integer, readOnly: true } }), object({ id: { ...integer, readOnly: true } }, ['id']), 'none', 'harmless', 'property-became-required'],
  ['no longer readOnly, and required', object({ id: { ...integer, readOnly: true } }, ['id']), object({ id: integer }, ['id']), 'breaking', 'none', 'required-property-added'],
  ['writeOnly: never received', object({ a: string, secret: { ...string, writeOnly: true } }), object({ a: string }), 'harmless', 'none', 'optional-property-removed'],
  ['property retired on its day', object({ a: { ...string, deprecated: true, 'x-sunset': '2026-11-21' } }), object({}), 'harmless', 'harmless', 'property-retired'],
  ['property removed the day before', object({ a: { ...string, deprecated: true, 'x-sunset': '2026-11-22' } }), object({}), 'harmless', 'warning', 'optional-property-removed'],

  // References, allOf
  ['a reference instead of the same inline', CAT, ref('Cat'), 'none', 'none', '', PETS],
  ['allOf of one', CAT, { allOf: [ref('Cat')] }, 'none', 'none', '', PETS],
  ['allOf written out', { allOf: [object({ a: string }, ['a']), object({ b: string }, ['b'])] }, object({ a: string, b: string }, ['a', 'b']), 'none', 'none', ''],
  ['allOf with a member more', { allOf: [object({ a: string })] }, { allOf: [object({ a: string }), object({ b: string }, ['b'])] }, 'breaking', 'harmless', 'required-property-added'],
  ['allOf takes the tighter bound', { type: 'integer', maximum: 5 }, { allOf: [{ type: 'integer', maximum: 9 }, { maximum: 5 }] }, 'none', 'none', ''],
  ['allOf whose member forbids the others', { allOf: [object({ a: string }), object({ b: string })] }, { allOf: [object({ a: string }), object({ b: string }, [], closed)] }, 'breaking', 'warning', 'optional-property-forbidden other-properties-forbidden'],
  ['beside a reference, 3.1', ref('Cat'), { ...ref('Cat'), default: {} }, 'warning', 'harmless', 'default-added', PETS],
  ['a bound beside a reference', ref('Name'), { ...ref('Name'), maxLength: 5 }, 'breaking', 'harmless', 'max-length-lowered', { Name: string }],
  ['percent and tilde in a reference', { $ref: '#/components/schemas/A~1B%20C' }, string, 'none', 'none', '', { 'A/B C': string }],

  // oneOf, anyOf
  ['alternative added', { oneOf: [ref('Cat'), ref('Dog')] }, { oneOf: [ref('Cat'), ref('Dog'), ref('Fish')] }, 'harmless', 'breaking', 'alternative-added', PETS],
  ['alternative removed', { oneOf: [ref('Cat'), ref('Dog'), ref('Fish')] }, { oneOf: [ref('Cat'), ref('Fish')] }, 'breaking', 'harmless', 'alternative-removed', PETS],
  ['alternatives in another order', { oneOf: [ref('Cat'), ref('Dog')] }, { oneOf: [ref('Dog'), ref('Cat')] }, 'none', 'none', '', PETS],
  ['alternative changed, known by its constant', { oneOf: [CAT, DOG] }, { oneOf: [tagged('dog', { tricks: string }), CAT] }, 'breaking', 'breaking', 'type-changed'],
  ['alternatives changed, known by their constants', { oneOf: [CAT, DOG] }, { oneOf: [tagged('dog', { tricks: string }), tagged('cat', { lives: string })] }, 'breaking', 'breaking', 'type-changed'],
  ['alternative changed, the only one left over', { anyOf: [string, { type: 'array', items: string }] }, { anyOf: [{ type: 'array', items: integer }, string] }, 'breaking', 'breaking', 'type-changed'],
  ['alternative replaced by one of another type', { anyOf: [CAT, string] }, { anyOf: [CAT, { type: 'array', items: string }] }, 'breaking', 'breaking', 'alternative-added alternative-removed'],
  ['one shape to several', ref('Cat'), { oneOf: [ref('Cat'), ref('Dog')] }, 'harmless', 'breaking', 'alternative-added', PETS],
  ['several shapes to one', { oneOf: [ref('Cat'), ref('Dog')] }, ref('Dog'), 'breaking', 'harmless', 'alternative-removed', PETS],
  ['a union of one shape', ref('Cat'), { oneOf: [ref('Cat')] }, 'none', 'none', '', PETS],
  ['types as a list or as a union', { type: ['string', 'integer'] }, { anyOf: [string, integer] }, 'none', 'none', ''],
  ['one type to a union', string, { anyOf: [string, { type: 'array', items: string }] }, 'harmless', 'breaking', 'alternative-added'],
  ['anyOf to oneOf', { anyOf: [CAT, DOG] }, { oneOf: [CAT, DOG] }, 'warning', 'harmless', 'one-of-tightened'],
  ['an alternative that another one contains', { anyOf: [integer, number, string] }, { anyOf: [number, string] }, 'harmless', 'harmless', 'alternative-folded'],
  ['what all alternatives share is written once', { oneOf: [{ ...CAT, description: 'one' }, DOG] }, { oneOf: [CAT, { ...DOG, title: 'two' }] }, 'none', 'none', ''],
  ['two unions at once, written as what they leave', { allOf: [{ anyOf: [CAT, DOG] }, { anyOf: [DOG, FISH] }] }, DOG, 'none', 'none', ''],
  ['two unions at once, and one of them dropped', { allOf: [{ anyOf: [CAT, DOG] }, { anyOf: [DOG, FISH] }] }, { anyOf: [CAT, DOG] }, 'harmless', 'breaking', 'alternative-added'],
  ['unions too large to multiply out', { allOf: [{ anyOf: MANY }, { anyOf: MANY }] }, { anyOf: MANY }, 'warning', 'warning', 'keyword-unjudged'],
  ['discriminator value', { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } } }, { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping: { kitten: '#/components/schemas/Cat' } } }, 'breaking', 'breaking', 'discriminator-value-changed', { Cat: object({ kind: string }), Dog: DOG }],

  // Said to people, or not understood
  ['default changed', { type: 'integer', default: 20 }, { type: 'integer', default: 10 }, 'breaking', 'harmless', 'default-changed'],
  ['default object changed', object({}, [], { default: { a: 1 } }), object({}, [], { default: { a: 1, b: 2 } }), 'breaking', 'harmless', 'default-changed'],
  ['default false is a default', { type: 'boolean', default: false }, { type: 'boolean' }, 'breaking', 'harmless', 'default-removed'],
  ['title, description, example', { type: 'string', title: 'A', description: 'B', example: 'C' }, { type: 'string', title: 'D', description: 'E', examples: ['F'] }, 'none', 'none', ''],
  ['an extension of someone else', string, { type: 'string', 'x-order': 5 }, 'none', 'none', ''],
  ['not', {}, { not: string }, 'warning', 'warning', 'keyword-unjudged'],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  ['if and then', { if: string, then: { minLength: 1 } }, { if: string, then: { minLength: 2 } }, 'warning', 'warning', 'keyword-unjudged'],
  ['not, with another description', { not: { type: 'string', description: 'a' } }, { not: { type: 'string', description: 'b' } }, 'none', 'none', ''],
  ['contains', { type: 'array', contains: string }, { type: 'array', contains: integer }, 'warning', 'warning', 'keyword-unjudged'],
  ['prefixItems', { type: 'array', prefixItems: [string] }, { type: 'array', prefixItems: [string, string] }, 'warning', 'warning', 'keyword-unjudged'],
  ['the second of the prefixItems', { type: 'array', prefixItems: [string, string] }, { type: 'array', prefixItems: [string, integer] }, 'warning', 'warning', 'keyword-unjudged'],
  ['a type of no one', { type: ['string', 'file'] }, string, 'breaking', 'warning', 'keyword-unjudged type-narrowed'],
  ['patternProperties', { type: 'object', patternProperties: { '^x-': string } }, { type: 'object', patternProperties: { '^x-': integer } }, 'warning', 'warning', 'keyword-unjudged'],
  ['one pattern of several', { type: 'object', patternProperties: { '^a': string, '^b': string } }, { type: 'object', patternProperties: { '^a': string, '^b': integer } }, 'warning', 'warning', 'keyword-unjudged'],
  ['a property that a pattern allows', { allOf: [object({ 'x-a': string }), { patternProperties: { '^x-': true }, ...closed }] }, { allOf: [object({ 'x-a': integer }), { patternProperties: { '^x-': true }, ...closed }] }, 'breaking', 'breaking', 'type-changed'],
  ['dependentRequired', { type: 'object' }, { type: 'object', dependentRequired: { a: ['b'] } }, 'warning', 'warning', 'keyword-unjudged'],
  ['contentEncoding', string, { type: 'string', contentEncoding: 'base64' }, 'warning', 'warning', 'keyword-unjudged'],
  ['a keyword of no one', string, { type: 'string', colour: 'red' }, 'warning', 'warning', 'keyword-unjudged'],
  ['xml is the wire', object({ a: string }), object({ a: { ...string, xml: { attribute: true } } }), 'warning', 'warning', 'keyword-unjudged'],
]

// A row fails when requests and responses are judged alike, when a direction is turned round, or when a rule is
// silent; the exact list of rules fails when a change is seen twice.
describe('schemas', () => {
  test.each(SCHEMAS.map((row) => ({ title: row[0], row })))(
    '$title',
    ({ row: [, older, newer, request, response, rules, schemas = {}] }) => {
      const components = { components: { schemas } };
      const changes = diff(echo(older, components), echo(newer, components));
      expect({
        request: worst(ofRequest(changes)),
        response: worst(ofResponse(changes)),
        rules: rulesOf(changes),
      }).toEqual({ request, response, rules });
    },
  );
});

/** Schemas in the words of 3.0, against the same or another version. */
// biome-ignore format: one pair a line.
const DIALECTS: readonly (readonly [string, string, JsonValue, string, JsonValue, Verdict, Verdict, string])[] = [
  ['nullable added', '3.0.3', string, '3.0.3', { ...string, nullable: true }, 'harmless', 'breaking', 'null-allowed'],
  ['nullable removed', '3.0.3', { ...string, nullable: true }, '3.0.3', string, 'breaking', 'harmless', 'null-forbidden'],
  ['nullable to a list of types', '3.0.3', { ...string, nullable: true }, '3.1.0', { type: ['string', 'null'] }, 'none', 'none', ''],
  ['nullable beside allOf', '3.0.3', { allOf: [ref('Cat')] }, '3.0.3', { allOf: [ref('Cat')], nullable: true }, 'harmless', 'breaking', 'null-allowed'],
  ['nullable reference to anyOf', '3.0.3', { allOf: [ref('Cat')], nullable: true }, '3.1.0', { anyOf: [ref('Cat'), { type: 'null' }] }, 'none', 'none', ''],
  ['nullable enum', '3.0.3', { ...string, enum: ['a'], nullable: true }, '3.1.0', { type: ['string', 'null'], enum: ['a', null] }, 'none', 'none', ''],
  ['boolean exclusive bound to a number', '3.0.3', { ...number, minimum: 0, exclusiveMinimum: true }, '3.1.0', { ...number, exclusiveMinimum: 0 }, 'none', 'none', ''],
  ['boolean exclusive bound', '3.0.3', { ...number, maximum: 5 }, '3.0.3', { ...number, maximum: 5, exclusiveMaximum: true }, 'breaking', 'harmless', 'maximum-lowered'],
  ['beside a reference, 3.0 hears nothing', '3.0.3', ref('Cat'), '3.0.3', { ...ref('Cat'), default: {} }, 'none', 'none', ''],
  ['nullable is no keyword of 3.1', '3.1.0', string, '3.1.0', { ...string, nullable: true }, 'warning', 'warning', 'keyword-unjudged'],
]

describe('dialects', () => {
  test.each(DIALECTS)('%s', (_, olderVersion, older, newerVersion, newer, request, response, rules) => {
    const components = { schemas: PETS };
    const changes = diff(
      echo(older, { openapi: olderVersion, components }),
      echo(newer, { openapi: newerVersion, components }),
    );
    expect({
      request: worst(ofRequest(changes)),
      response: worst(ofResponse(changes)),
      rules: rulesOf(changes),
    }).toEqual({ request, response, rules });
  });
});

/** Two documents, the gravest verdict, and the rules that see the change. */
type DocumentRow = readonly [title: string, older: JsonObject, newer: JsonObject, verdict: Verdict, rules: string];

const query = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: 'query', schema: string, ...more });
const path = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: string,
  ...more,
});
const header = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: 'header', schema: string, ...more });
const params = (...parameters: JsonObject[]): JsonObject => withOperation({ parameters });
const get = (more: JsonObject = {}): JsonObject => ({ operationId: 'getThing', responses: {}, ...more });
const things = (item: JsonObject): JsonObject => withPaths({ '/things': item });
const body = (types: readonly string[], more: JsonObject = {}): JsonObject =>
  withOperation({
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: string }])), ...more },
  });
const answers = (...statuses: string[]): JsonObject =>
  withOperation({ responses: Object.fromEntries(statuses.map((status) => [status, { description: status }])) });
const answersIn = (...types: string[]): JsonObject =>
  withOperation({
    responses: { '200': { content: Object.fromEntries(types.map((type) => [type, { schema: string }])) } },
  });
const withHeaders = (headers: JsonObject): JsonObject =>
  withOperation({ responses: { '200': { description: 'Done.', headers } } });
const securitySchemes = {
  key: { type: 'http', scheme: 'bearer' },
  sameKey: { type: 'http', scheme: 'Bearer', bearerFormat: 'opaque', description: 'Renamed.' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  login: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://example.com/login', scopes: {} } } },
};
const secured = (security: readonly JsonObject[] | undefined, root?: readonly JsonObject[]): JsonObject =>
  withOperation(security === undefined ? {} : { security }, {
    components: { securitySchemes },
    ...(root === undefined ? {} : { security: root }),
  });
const servers = (...urls: string[]): JsonObject => withPaths({}, { servers: urls.map((url) => ({ url })) });
const op = (more: JsonObject): JsonObject => withOperation({ operationId: 'doIt', ...more });
const gone = withPaths({ '/things': {} });
const deprecated = (sunset?: JsonValue, more: JsonObject = {}): JsonObject =>
  op({ deprecated: true, ...(sunset === undefined ? {} : { 'x-sunset': sunset }), ...more });
const level = (stability: string, more: JsonObject = {}): JsonObject => op({ 'x-stability-level': stability, ...more });
const limits = (free: JsonObject, more: JsonObject = {}): JsonObject =>
  withPaths({}, { 'x-rate-limits': { plans: { free }, ...more } });

// biome-ignore format: one pair a line.
const DOCUMENTS: readonly DocumentRow[] = [
  // Paths and operations
  ['path added', withPaths({}), things({ get: get() }), 'harmless', 'operation-added'],
  ['path removed', things({ get: get() }), withPaths({}), 'breaking', 'operation-removed'],
  ['method removed', things({ get: get(), post: get({ operationId: 'b' }) }), things({ get: get() }), 'breaking', 'operation-removed'],
  ['path moved', withPaths({ '/pets': { get: get() } }), withPaths({ '/animals': { get: get() } }), 'breaking', 'operation-added operation-removed'],
  ['method changed', things({ put: get() }), things({ patch: get() }), 'breaking', 'operation-added operation-removed'],
  ['path parameter renamed', withPaths({ '/pets/{petId}': { get: get({ parameters: [path('petId')] }) } }), withPaths({ '/pets/{id}': { get: get({ parameters: [path('id')] }) } }), 'harmless', 'path-parameter-renamed'],
  ['path parameter renamed and retyped', withPaths({ '/pets/{petId}': { get: get({ parameters: [path('petId', { schema: integer })] }) } }), withPaths({ '/pets/{id}': { get: get({ parameters: [path('id')] }) } }), 'breaking', 'path-parameter-renamed type-changed'],
  ['path parameters swapped', withPaths({ '/a/{x}/{y}': { get: get({ parameters: [path('x', { schema: integer }), path('y')] }) } }), withPaths({ '/a/{y}/{x}': { get: get({ parameters: [path('x', { schema: integer }), path('y')] }) } }), 'breaking', 'path-parameter-renamed type-changed'],
  ['operationId changed', op({}), op({ operationId: 'doThat' }), 'breaking', 'operation-id-changed'],
  ['operationId given', withOperation({}), op({}), 'harmless', 'operation-id-added'],
  ['not implemented any more', op({}), op({ 'x-not-implemented': true }), 'breaking', 'operation-unimplemented'],
  ['tags changed', op({ tags: ['a'] }), op({ tags: ['b'] }), 'harmless', 'tags-changed'],
  ['tags in another order', op({ tags: ['a', 'b'] }), op({ tags: ['b', 'a'] }), 'none', ''],
  ['summary and description', op({ summary: 'A' }), op({ description: 'B' }), 'none', ''],
  ['title and version of the document', withPaths({}, { info: { title: 'A', version: '1' } }), withPaths({}, { info: { title: 'B', version: '2' } }), 'none', ''],
  ['path item behind a reference', things({ get: get() }), withPaths({ '/things': { $ref: '#/components/pathItems/Things' } }, { components: { pathItems: { Things: { get: get() } } } }), 'none', ''],

  // Parameters
  ['optional parameter added', params(), params(query('q')), 'harmless', 'optional-parameter-added'],
  ['required parameter added', params(), params(query('q', { required: true })), 'breaking', 'required-parameter-added'],
  ['filter removed', params(query('q')), params(), 'breaking', 'parameter-removed'],
  ['parameter became required', params(query('q')), params(query('q', { required: true })), 'breaking', 'parameter-became-required'],
  ['parameter became optional', params(query('q', { required: true })), params(query('q')), 'harmless', 'parameter-became-optional'],
  ['parameter renamed', params(query('q')), params(query('search')), 'breaking', 'optional-parameter-added parameter-removed'],
  ['query to header', params(query('q')), params(header('q')), 'breaking', 'parameter-moved'],
  ['header in other letters', params(header('X-Trace')), params(header('x-trace')), 'none', ''],
  ['query parameter in other letters', params(query('Q')), params(query('q')), 'breaking', 'optional-parameter-added parameter-removed'],
  ['header that OpenAPI ignores', params(), params(header('Authorization', { required: true })), 'none', ''],
  ['style written out', params(query('q')), params(query('q', { style: 'form', explode: true })), 'none', ''],
  ['list no longer repeated', params(query('q')), params(query('q', { explode: false })), 'breaking', 'parameter-explode-changed'],
  ['style changed', params(query('q', { style: 'form' })), params(query('q', { style: 'spaceDelimited', explode: true })), 'breaking', 'parameter-style-changed'],
  ['parameter enum narrowed', params(query('q', { schema: { enum: ['a', 'b'] } })), params(query('q', { schema: { enum: ['a'] } })), 'breaking', 'enum-value-removed'],
  ['parameter enum widened', params(query('q', { schema: { enum: ['a'] } })), params(query('q', { schema: { enum: ['a', 'b'] } })), 'harmless', 'enum-value-added'],
  ['page size default', params(query('limit', { schema: { ...integer, default: 20 } })), params(query('limit', { schema: { ...integer, default: 50 } })), 'breaking', 'default-changed'],
  ['from path to operation level', things({ parameters: [query('q')], get: get() }), things({ get: get({ parameters: [query('q')] }) }), 'none', ''],
  ['operation level overrules path level', things({ parameters: [query('q')], get: get() }), things({ parameters: [query('q')], get: get({ parameters: [query('q', { required: true })] }) }), 'breaking', 'parameter-became-required'],
  ['path level, several operations', things({ parameters: [query('q')], get: get(), post: get({ operationId: 'b' }) }), things({ get: get(), post: get({ operationId: 'b' }) }), 'breaking', 'parameter-removed'],
  ['parameter behind a reference', params(query('q')), withOperation({ parameters: [{ $ref: '#/components/parameters/Q' }] }, { components: { parameters: { Q: query('q') } } }), 'none', ''],
  ['parameter as JSON', params(query('q')), params({ name: 'q', in: 'query', content: { 'application/json': { schema: string } } }), 'breaking', 'parameter-media-type-changed'],
  ['parameter retired', params(query('q', { deprecated: true, 'x-sunset': '2026-01-01' })), params(), 'harmless', 'parameter-retired'],
  ['parameter deprecated', params(query('q')), params(query('q', { deprecated: true })), 'harmless', 'parameter-deprecated'],

  // Bodies
  ['body became required', body(['a/b']), body(['a/b'], { required: true }), 'breaking', 'request-body-became-required'],
  ['body became optional', body(['a/b'], { required: true }), body(['a/b']), 'harmless', 'request-body-became-optional'],
  ['required body added', withOperation({}), body(['a/b'], { required: true }), 'breaking', 'required-request-body-added'],
  ['optional body added', withOperation({}), body(['a/b']), 'harmless', 'optional-request-body-added'],
  ['body removed', body(['a/b']), withOperation({}), 'breaking', 'request-body-removed'],
  ['request media type removed', body(['application/json', 'text/xml']), body(['application/json']), 'breaking', 'media-type-removed'],
  ['request media type added', body(['application/json']), body(['application/json', 'text/xml']), 'harmless', 'media-type-added'],
  ['request media type replaced', body(['application/json']), body(['application/vnd.api+json']), 'breaking', 'media-type-added media-type-removed'],
  ['request media type in other letters', body(['application/json; charset=utf-8']), body(['Application/JSON;charset=utf-8']), 'none', ''],
  ['request charset named', body(['application/json']), body(['application/json; charset=utf-8']), 'warning', 'media-type-parameters-changed'],
  ['request takes any JSON', body(['application/json']), body(['application/*']), 'harmless', 'media-type-widened'],
  ['request took anything', body(['*/*']), body(['application/json']), 'breaking', 'media-type-narrowed'],
  ['encoding of a part', withOperation({ requestBody: { content: { 'multipart/form-data': {} } } }), withOperation({ requestBody: { content: { 'multipart/form-data': { encoding: { a: {} } } } } }), 'warning', 'encoding-changed'],

  // Responses
  ['error status added', answers('200'), answers('200', '429'), 'harmless', 'error-status-added'],
  ['default answer added', answers('200'), answers('200', 'default'), 'harmless', 'error-status-added'],
  ['200 became 201', answers('200'), answers('201'), 'breaking', 'success-status-added success-status-removed'],
  ['202 added', answers('200'), answers('200', '202'), 'warning', 'success-status-added'],
  ['204 removed', answers('200', '204'), answers('200'), 'breaking', 'success-status-removed'],
  ['404 removed', answers('200', '404'), answers('200'), 'warning', 'other-status-removed'],
  ['redirect added', answers('200'), answers('200', '302'), 'warning', 'redirect-added'],
  ['404 became 4XX', answers('200', '404'), answers('200', '4XX'), 'warning', 'status-generalised'],
  ['404 told apart from 4xx', answers('200', '4xx'), answers('200', '4XX', '404'), 'harmless', 'status-specialised'],
  ['success does not hide in default', answers('200', 'default'), answers('default'), 'breaking', 'success-status-removed'],
  ['response media type removed', answersIn('application/json', 'text/csv'), answersIn('application/json'), 'breaking', 'media-type-removed'],
  ['response media type added', answersIn('application/json'), answersIn('application/json', 'text/csv'), 'harmless', 'media-type-added'],
  ['response of one type became any', answersIn('application/json'), answersIn('*/*'), 'breaking', 'media-type-widened'],
  ['response of any type became one', answersIn('*/*'), answersIn('application/json'), 'harmless', 'media-type-narrowed'],
  ['response body gone', answersIn('application/json'), answersIn(), 'breaking', 'media-type-removed'],
  ['required header removed', withHeaders({ 'X-A': { required: true } }), withHeaders({}), 'breaking', 'required-header-removed'],
  ['optional header removed', withHeaders({ 'X-A': {} }), withHeaders({}), 'warning', 'optional-header-removed'],
  ['header became optional', withHeaders({ 'X-A': { required: true } }), withHeaders({ 'X-A': {} }), 'breaking', 'header-became-optional'],
  ['header became required', withHeaders({ 'X-A': {} }), withHeaders({ 'X-A': { required: true } }), 'harmless', 'header-became-required'],
  ['header added', withHeaders({}), withHeaders({ 'X-A': { required: true } }), 'harmless', 'header-added'],
  ['header in other letters', withHeaders({ 'X-A': {} }), withHeaders({ 'x-a': {} }), 'none', ''],
  ['header retyped', withHeaders({ 'X-A': { schema: integer } }), withHeaders({ 'X-A': { schema: string } }), 'breaking', 'type-changed'],
  ['header narrowed', withHeaders({ 'X-A': { schema: { ...integer, maximum: 9 } } }), withHeaders({ 'X-A': { schema: { ...integer, maximum: 8 } } }), 'harmless', 'maximum-lowered'],
  ['response behind a reference', answers('200'), withOperation({ responses: { '200': { $ref: '#/components/responses/Ok' } } }, { components: { responses: { Ok: { description: '200' } } } }), 'none', ''],

  // Security
  ['key asked for', secured(undefined), secured([{ key: [] }]), 'breaking', 'security-tightened'],
  ['key no longer asked for', secured([{ key: [] }]), secured([]), 'harmless', 'security-loosened'],
  ['one key more at once', secured([{ key: [] }]), secured([{ key: [], cookie: [] }]), 'breaking', 'security-tightened'],
  ['one key less at once', secured([{ key: [], cookie: [] }]), secured([{ key: [] }]), 'harmless', 'security-loosened'],
  ['another way in', secured([{ key: [] }]), secured([{ key: [] }, { cookie: [] }]), 'harmless', 'security-loosened'],
  ['a way in closed', secured([{ key: [] }, { cookie: [] }]), secured([{ key: [] }]), 'breaking', 'security-tightened'],
  ['scope added', secured([{ login: ['read'] }]), secured([{ login: ['read', 'write'] }]), 'breaking', 'security-tightened'],
  ['scope dropped', secured([{ login: ['read', 'write'] }]), secured([{ login: ['read'] }]), 'harmless', 'security-loosened'],
  ['scheme renamed', secured([{ key: [] }]), secured([{ sameKey: [] }]), 'none', ''],
  ['key moved to a cookie', secured([{ key: [] }]), secured([{ cookie: [] }]), 'breaking', 'security-loosened security-tightened'],
  ['said at the root instead', secured([{ key: [] }]), secured(undefined, [{ key: [] }]), 'none', ''],
  ['root says, operation opens', secured(undefined, [{ key: [] }]), secured([], [{ key: [] }]), 'harmless', 'security-loosened'],
  ['login moved', withOperation({ security: [{ a: [] }] }, { components: { securitySchemes: { a: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example' } } } }), withOperation({ security: [{ b: [] }] }, { components: { securitySchemes: { b: { type: 'openIdConnect', openIdConnectUrl: 'https://b.example' } } } }), 'breaking', 'login-added login-removed'],
  ['a key that no component describes', withOperation({ security: [{ a: [] }] }), withOperation({ security: [{ b: [] }] }), 'breaking', 'security-loosened security-tightened'],
  ['optional key became required', secured([{ key: [] }, {}]), secured([{ key: [] }]), 'breaking', 'security-tightened'],

  // Servers
  ['base path changed', servers('https://a.example/v1'), servers('https://a.example/v2'), 'breaking', 'base-path-removed server-added'],
  ['host changed', servers('https://a.example/v1'), servers('https://b.example/v1'), 'warning', 'server-added server-removed'],
  ['server added', servers('https://a.example/v1'), servers('https://a.example/v1', 'https://b.example/v1'), 'harmless', 'server-added'],
  ['slash at the end', servers('https://a.example/v1'), servers('https://a.example/v1/'), 'none', ''],
  ['no server and /', withPaths({}), servers('/'), 'none', ''],
  ['variable filled in', withPaths({}, { servers: [{ url: '{at}/v1', variables: { at: { default: 'https://a.example' } } }] }), servers('https://a.example/v1'), 'none', ''],
  ['base path in a variable', withPaths({}, { servers: [{ url: '/{version}', variables: { version: { default: 'v1' } } }] }), withPaths({}, { servers: [{ url: '/{version}', variables: { version: { default: 'v2' } } }] }), 'breaking', 'base-path-removed server-added'],
  ['an operation served elsewhere', op({}), op({ servers: [{ url: 'https://upload.example/v2' }] }), 'breaking', 'base-path-removed server-added'],

  // Life cycle; today is 2026-11-21
  ['removed on its day', deprecated('2026-11-21'), gone, 'harmless', 'operation-retired'],
  ['removed after its day', deprecated('2020-01-01'), gone, 'harmless', 'operation-retired'],
  ['removed the day before', deprecated('2026-11-22'), gone, 'breaking', 'operation-removed-before-sunset'],
  ['removed without a date', deprecated(), gone, 'breaking', 'operation-removed-without-sunset'],
  ['removed, date unreadable', deprecated('next year'), gone, 'breaking', 'operation-removed-with-unreadable-sunset'],
  ['removed with a date but not deprecated', op({ 'x-sunset': '2020-01-01' }), gone, 'breaking', 'operation-removed'],
  ['a date-time is a date', deprecated('2026-11-21T23:59:59Z'), gone, 'harmless', 'operation-retired'],
  ['30 February is no date', deprecated('2026-02-30'), gone, 'breaking', 'operation-removed-with-unreadable-sunset'],
  ['draft removed', level('draft'), gone, 'harmless', 'operation-removed'],
  ['beta removed', level('beta'), gone, 'breaking', 'operation-removed'],
  ['deprecated with 180 days', op({}), deprecated('2027-05-20'), 'harmless', 'operation-deprecated'],
  ['deprecated with 179 days', op({}), deprecated('2027-05-19'), 'breaking', 'sunset-too-soon'],
  ['beta deprecated with 30 days', level('beta'), deprecated('2026-12-21', { 'x-stability-level': 'beta' }), 'harmless', 'operation-deprecated'],
  ['beta deprecated with 29 days', level('beta'), deprecated('2026-12-20', { 'x-stability-level': 'beta' }), 'breaking', 'sunset-too-soon'],
  ['deprecated without a date', op({}), deprecated(), 'breaking', 'operation-deprecated-without-sunset'],
  ['deprecated, date unreadable', op({}), deprecated('soon'), 'breaking', 'sunset-unreadable'],
  ['deprecated, with an old date that no one could read', op({ 'x-sunset': 'soon' }), deprecated('soon'), 'breaking', 'sunset-unreadable'],
  ['date given later', deprecated(), deprecated('2030-01-01'), 'harmless', 'sunset-announced'],
  ['date removed', deprecated('2030-01-01'), deprecated(), 'breaking', 'sunset-removed'],
  ['date became unreadable', deprecated('2030-01-01'), deprecated('2030'), 'breaking', 'sunset-unreadable'],
  ['sunset earlier, still far', deprecated('2030-12-05'), deprecated('2028-01-01'), 'breaking', 'sunset-moved-earlier'],
  ['sunset earlier, and near', deprecated('2030-12-05'), deprecated('2027-01-01'), 'breaking', 'sunset-brought-near'],
  ['sunset later', deprecated('2030-12-05'), deprecated('2031-12-05'), 'harmless', 'sunset-moved-later'],
  ['the same day, written otherwise', deprecated('2030-12-05'), deprecated('2030-12-05T00:00:00Z'), 'none', ''],
  ['no longer deprecated', deprecated('2030-12-05'), op({}), 'harmless', 'operation-reinstated'],
  ['replacement changed', deprecated('2030-12-05', { 'x-replaced-by': 'a' }), deprecated('2030-12-05', { 'x-replaced-by': 'b' }), 'warning', 'replacement-changed'],
  ['stable to beta', op({}), level('beta'), 'breaking', 'stability-lowered'],
  ['alpha to draft', level('alpha'), level('draft'), 'breaking', 'stability-lowered'],
  ['beta to stable', level('beta'), op({}), 'harmless', 'stability-raised'],
  ['stable written out', op({}), level('stable'), 'none', ''],
  ['unknown word', op({}), level('gamma'), 'breaking', 'stability-unknown'],
  ['an alpha changes freely', level('alpha', { parameters: [] }), level('alpha', { parameters: [query('q', { required: true })] }), 'harmless', 'required-parameter-added'],
  ['a beta does not', level('beta', { parameters: [] }), level('beta', { parameters: [query('q', { required: true })] }), 'breaking', 'required-parameter-added'],
  ['a stable one does not by being lowered', op({ parameters: [] }), level('alpha', { parameters: [query('q', { required: true })] }), 'breaking', 'required-parameter-added stability-lowered'],
  ['a draft deprecated without a date', level('draft'), level('draft', { deprecated: true }), 'harmless', 'operation-deprecated-without-sunset'],

  // Limits
  ['quota lowered', limits({ perMinute: 60, perDay: 1000 }), limits({ perMinute: 60, perDay: 999 }), 'breaking', 'quota-lowered'],
  ['quota raised', limits({ perMinute: 60 }), limits({ perMinute: 61 }), 'harmless', 'quota-raised'],
  ['one raised, one lowered', limits({ perMinute: 60, perDay: 1000 }), limits({ perMinute: 90, perDay: 900 }), 'breaking', 'quota-lowered quota-raised'],
  ['quota by agreement', limits({ perMinute: 60 }), limits({ perMinute: 'custom' }), 'warning', 'quota-redefined'],
  ['plan removed', withPaths({}, { 'x-rate-limits': { plans: { free: {}, pro: {} } } }), withPaths({}, { 'x-rate-limits': { plans: { free: {} } } }), 'breaking', 'plan-removed'],
  ['plan added', withPaths({}, { 'x-rate-limits': { plans: { free: {} } } }), withPaths({}, { 'x-rate-limits': { plans: { free: {}, pro: {} } } }), 'harmless', 'plan-added'],
  ['callers without a key get less', limits({}, { anonymous: { perMinute: 300 } }), limits({}, { anonymous: { perMinute: 100 } }), 'breaking', 'quota-lowered'],
  ['ban longer', limits({}, { ban: { durations: [300, 900] } }), limits({}, { ban: { durations: [600, 900] } }), 'warning', 'ban-harsher'],
  ['ban with a step more', limits({}, { ban: { durations: [300] } }), limits({}, { ban: { durations: [300, 900] } }), 'warning', 'ban-harsher'],
  ['ban shorter', limits({}, { ban: { durations: [300, 900] } }), limits({}, { ban: { durations: [300] } }), 'harmless', 'ban-milder'],
  ['longer until forgiven', limits({}, { ban: { cleanPeriod: 3600 } }), limits({}, { ban: { cleanPeriod: 7200 } }), 'warning', 'ban-harsher'],
  ['limits first named', withPaths({}), withPaths({}, { 'x-rate-limits': { anonymous: { perDay: 10 } } }), 'warning', 'quota-introduced'],
]

describe('documents', () => {
  test.each(DOCUMENTS)('%s', (_, older, newer, verdict, rules) => {
    const changes = diff(older, newer);
    expect({ verdict: worst(changes), rules: rulesOf(changes) }).toEqual({ verdict, rules });
  });
});

test('the table is as long as it was promised to be', () => {
  expect(SCHEMAS.length + DIALECTS.length + DOCUMENTS.length).toBeGreaterThanOrEqual(120);
});

/** What the service sends is a request that the consumer reads, so everything is the other way round. */
describe('webhooks and callbacks', () => {
  const event = (schema: JsonValue): JsonObject => ({
    post: {
      requestBody: { content: { 'application/json': { schema } } },
      responses: { '200': { description: 'Heard.' } },
    },
  });
  const webhook = (schema: JsonValue): JsonObject => withPaths({}, { webhooks: { born: event(schema) } });
  const callback = (schema: JsonValue): JsonObject =>
    withOperation({ callbacks: { born: { '{$request.body#/url}': event(schema) } } });

  test.each([
    ['webhook', webhook],
    ['callback', callback],
  ] as const)('%s', (_, build) => {
    expect(worst(diff(build({ enum: ['a', 'b'] }), build({ enum: ['a'] })))).toBe('harmless');
    expect(worst(diff(build({ enum: ['a'] }), build({ enum: ['a', 'b'] })))).toBe('warning');
    expect(worst(diff(build(object({ a: string }, ['a'])), build(object({}))))).toBe('breaking');
    expect(worst(diff(build(object({})), build(object({ a: string }, ['a']))))).toBe('harmless');
  });

  test('the root says nothing of how the service shows itself', () => {
    expect(diff(webhook(string), { ...webhook(string), security: [{ key: [] }] })).toEqual([]);
  });

  test('a webhook that is gone', () => {
    expect(rulesOf(diff(webhook(string), withPaths({})))).toBe('operation-removed');
  });
});

describe('a discriminator without a mapping', () => {
  const union = (kind: JsonValue, ...names: [string, string]): JsonObject => {
    const [cat, dog] = names;
    return echo(
      { oneOf: [ref(cat), ref(dog)], discriminator: { propertyName: 'kind' } },
      { components: { schemas: { [cat]: object({ kind, lives: integer }, ['kind']), [dog]: DOG } } },
    );
  };

  test('takes the names of components for its values', () => {
    expect(rulesOf(diff(union(string, 'Cat', 'dog'), union(string, 'Tom', 'dog')))).toBe('discriminator-value-changed');
  });

  test('takes what the component itself says before its name', () => {
    expect(diff(union({ const: 'cat' }, 'Cat', 'Dog'), union({ const: 'cat' }, 'Tom', 'Rex'))).toEqual([]);
  });
});

describe('places', () => {
  const shared = (status: JsonValue): JsonObject =>
    withPaths(
      {
        '/pets': {
          get: {
            operationId: 'listPets',
            responses: { '200': { content: { 'application/json': { schema: { type: 'array', items: ref('Pet') } } } } },
          },
          post: {
            operationId: 'createPet',
            requestBody: { content: { 'application/json': { schema: ref('Pet') } } },
            responses: {},
          },
        },
      },
      { components: { schemas: { Pet: object({ status }) } } },
    );

  test('a change behind a shared reference is told for each operation and direction', () => {
    expect(diff(shared({ enum: ['a', 'b'] }), shared({ enum: ['a'] }))).toMatchObject([
      {
        operation: 'GET /pets (listPets)',
        place: 'response 200 application/json /items/properties/status',
        severity: 'harmless',
        before: 'b',
        after: undefined,
      },
      {
        operation: 'POST /pets (createPet)',
        place: 'request body application/json /properties/status',
        severity: 'breaking',
        before: 'b',
        after: undefined,
      },
    ]);
  });

  test('unions that are built otherwise are read each in its own document', () => {
    const older = echo(ref('Pet'), {
      components: { schemas: { Pet: { oneOf: [ref('Old'), ref('Dog')] }, Old: CAT, Dog: DOG } },
    });
    const newer = echo(ref('Pet'), { components: { schemas: { Pet: ref('New'), New: CAT, Old: FISH, Dog: FISH } } });
    expect(diff(older, newer)).toMatchObject([
      { rule: 'alternative-removed', place: 'request body application/json /oneOf/Dog', before: ref('Dog') },
      { rule: 'alternative-removed', place: 'response 200 application/json /oneOf/Dog', before: ref('Dog') },
    ]);
    expect(rulesOf(diff(newer, older))).toBe('alternative-added');
  });

  test('a change inside one of the alternatives is told there, from whichever side they come', () => {
    const plain = echo(ref('Cat'), { components: { schemas: PETS } });
    const union = echo(
      { oneOf: [ref('Dog'), ref('Cat')] },
      { components: { schemas: { ...PETS, Cat: tagged('cat', { lives: string }) } } },
    );
    const place = 'request body application/json /oneOf/Cat/properties/lives';
    expect(diff(plain, union)).toContainEqual(expect.objectContaining({ rule: 'type-changed', place }));
    expect(diff(union, plain)).toContainEqual(expect.objectContaining({ rule: 'type-changed', place }));
  });

  test('a recursive schema is told once', () => {
    const tree = (leaf: JsonValue): JsonObject =>
      echo(ref('Tree'), {
        components: {
          schemas: { Tree: object({ leaf, left: ref('Tree'), right: { anyOf: [ref('Tree'), { type: 'null' }] } }) },
        },
      });
    expect(ofRequest(diff(tree(integer), tree(string)))).toMatchObject([
      { place: 'request body application/json /properties/leaf' },
    ]);
  });

  test.each([
    ['itself', { A: ref('A') }],
    ['allOf itself', { A: { allOf: [ref('A'), string] } }],
    ['a union with itself', { A: { anyOf: [ref('A'), integer, string] } }],
    ['each other', { A: ref('B'), B: { allOf: [ref('A')] } }],
  ])('a schema that is %s ends', (_, schemas) => {
    const document = echo(ref('A'), { components: { schemas } });
    expect(diff(document, structuredClone(document))).toEqual([]);
  });

  test('a reference that leads nowhere is worth a warning, once it changes', () => {
    expect(diff(echo({ $ref: 'a.yaml' }), echo({ $ref: 'a.yaml' }))).toEqual([]);
    expect(worst(diff(echo({ $ref: 'a.yaml' }), echo({ $ref: 'b.yaml' })))).toBe('warning');
    expect(worst(diff(withOperation({ parameters: [] }), withOperation({ parameters: [ref('Missing')] })))).toBe(
      'warning',
    );
  });
});

describe('refused', () => {
  test.each([[{ swagger: '2.0' }], [null], ['openapi: 3.1.0'], [{ openapi: 3.1 }]])(
    '%j is no OpenAPI 3 document',
    (value) => {
      expect(() => diff(value, withPaths({}))).toThrow(TypeError);
    },
  );

  test('a day that is none', () => {
    expect(() => diffContracts(withPaths({}), withPaths({}), { today: '2026-02-30' })).toThrow(RangeError);
  });
});
