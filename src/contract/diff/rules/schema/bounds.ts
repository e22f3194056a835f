import type { SchemaPair, SchemaRule } from '../../compareSchemas.ts';
import type { JsonValue } from '../../json.ts';
import { alters, narrows, opens, unclear, widens } from '../../rule.ts';
import type { Bound, Schema, SizeKeyword, TypeName } from '../../schema.ts';
import { isMultiple } from '../../schema.ts';
import { schemas } from '../example.ts';

/** Both allow this type, and neither lists its values, which would say more. */
const bothAllow = ({ older, newer }: SchemaPair, ...types: TypeName[]): boolean =>
  older.values === undefined &&
  newer.values === undefined &&
  types.some((type) => older.types.has(type) && newer.types.has(type));

const number = (value: number): JsonValue | undefined => (Number.isFinite(value) ? value : undefined);

/** A keyword that is a lower bound: raising it narrows. */
const least = (keyword: SizeKeyword, name: string, noun: string, type: TypeName): readonly SchemaRule[] => [
  {
    name: `${name}-raised`,
    reason: `The least ${noun} is greater (\`${keyword}\`).`,
    effect: narrows,
    example: schemas({ type, [keyword]: 1 }, { type, [keyword]: 2 }),
    find: (pair) =>
      bothAllow(pair, type) && pair.newer.sizes[keyword] > pair.older.sizes[keyword] && sizes(pair, keyword),
  },
  {
    name: `${name}-lowered`,
    reason: `The least ${noun} is smaller (\`${keyword}\`).`,
    effect: widens,
    example: schemas({ type, [keyword]: 2 }, { type, [keyword]: 1 }),
    find: (pair) =>
      bothAllow(pair, type) && pair.newer.sizes[keyword] < pair.older.sizes[keyword] && sizes(pair, keyword),
  },
];

/** A keyword that is an upper bound: lowering it narrows. */
const most = (keyword: SizeKeyword, name: string, noun: string, type: TypeName): readonly SchemaRule[] => [
  {
    name: `${name}-lowered`,
    reason: `The greatest ${noun} is smaller (\`${keyword}\`).`,
    effect: narrows,
    example: schemas({ type, [keyword]: 9 }, { type, [keyword]: 8 }),
    find: (pair) =>
      bothAllow(pair, type) && pair.newer.sizes[keyword] < pair.older.sizes[keyword] && sizes(pair, keyword),
  },
  {
    name: `${name}-raised`,
    reason: `The greatest ${noun} is greater (\`${keyword}\`).`,
    effect: widens,
    example: schemas({ type, [keyword]: 8 }, { type, [keyword]: 9 }),
    find: (pair) =>
      bothAllow(pair, type) && pair.newer.sizes[keyword] > pair.older.sizes[keyword] && sizes(pair, keyword),
  },
];

const sizes = ({ older, newer }: SchemaPair, keyword: SizeKeyword) => ({
  // 0 is what a missing lower bound means.
  before: number(older.sizes[keyword]) || undefined,
  after: number(newer.sizes[keyword]) || undefined,
});

/** Bounds of numbers, sizes, formats, patterns, steps. */
export const boundRules: readonly SchemaRule[] = [
  {
    name: 'minimum-raised',
    reason: 'The smallest number allowed is greater.',
    effect: narrows,
    example: schemas({ type: 'number', minimum: 1 }, { type: 'number', exclusiveMinimum: 1 }),
    find: (pair) => bothNumbers(pair) && isTighter(lowerOf(pair.newer), lowerOf(pair.older), 1) && lowers(pair),
  },
  {
    name: 'minimum-lowered',
    reason: 'The smallest number allowed is smaller.',
    effect: widens,
    example: schemas({ type: 'integer', minimum: 1 }, { type: 'integer', minimum: 0 }),
    find: (pair) => bothNumbers(pair) && isTighter(lowerOf(pair.older), lowerOf(pair.newer), 1) && lowers(pair),
  },
  {
    name: 'maximum-lowered',
    reason: 'The greatest number allowed is smaller.',
    effect: narrows,
    example: schemas({ type: 'integer', maximum: 100 }, { type: 'integer', maximum: 50 }),
    find: (pair) => bothNumbers(pair) && isTighter(upperOf(pair.newer), upperOf(pair.older), -1) && uppers(pair),
  },
  {
    name: 'maximum-raised',
    reason: 'The greatest number allowed is greater.',
    effect: widens,
    example: schemas({ type: 'integer', maximum: 50 }, { type: 'integer', maximum: 100 }),
    find: (pair) => bothNumbers(pair) && isTighter(upperOf(pair.older), upperOf(pair.newer), -1) && uppers(pair),
  },
  ...least('minLength', 'min-length', 'length', 'string'),
  ...most('maxLength', 'max-length', 'length', 'string'),
  ...least('minItems', 'min-items', 'number of items', 'array'),
  ...most('maxItems', 'max-items', 'number of items', 'array'),
  ...least('minProperties', 'min-properties', 'number of properties', 'object'),
  ...most('maxProperties', 'max-properties', 'number of properties', 'object'),
  {
    name: 'multiple-of-narrowed',
    reason: 'Fewer numbers are multiples of the step (`multipleOf`).',
    effect: narrows,
    example: schemas({ type: 'number', multipleOf: 5 }, { type: 'number', multipleOf: 10 }),
    find: (pair) =>
      bothNumbers(pair) && covers(pair.older, pair.newer) && !covers(pair.newer, pair.older) && steps(pair),
  },
  {
    name: 'multiple-of-widened',
    reason: 'More numbers are multiples of the step (`multipleOf`).',
    effect: widens,
    example: schemas({ type: 'number', multipleOf: 10 }, { type: 'number', multipleOf: 5 }),
    find: (pair) =>
      bothNumbers(pair) && covers(pair.newer, pair.older) && !covers(pair.older, pair.newer) && steps(pair),
  },
  {
    name: 'multiple-of-changed',
    reason: 'Numbers go by another step (`multipleOf`).',
    effect: alters,
    example: schemas({ type: 'number', multipleOf: 2 }, { type: 'number', multipleOf: 3 }),
    find: (pair) =>
      bothNumbers(pair) && !covers(pair.newer, pair.older) && !covers(pair.older, pair.newer) && steps(pair),
  },
  {
    name: 'unique-items-demanded',
    reason: 'Items must differ from each other.',
    effect: narrows,
    example: schemas({ type: 'array' }, { type: 'array', uniqueItems: true }),
    find: (pair) =>
      bothAllow(pair, 'array') && !pair.older.unique && pair.newer.unique && { before: false, after: true },
  },
  {
    name: 'unique-items-dropped',
    reason: 'Items may repeat.',
    effect: widens,
    example: schemas({ type: 'array', uniqueItems: true }, { type: 'array' }),
    find: (pair) =>
      bothAllow(pair, 'array') && pair.older.unique && !pair.newer.unique && { before: true, after: false },
  },
  {
    name: 'pattern-added',
    reason: 'Text must match a pattern.',
    effect: narrows,
    example: schemas({ type: 'string' }, { type: 'string', pattern: '^[a-z]+$' }),
    find: (pair) =>
      bothAllow(pair, 'string') && lostAndGained(pair, 'patterns') === 'gained' && words(pair, 'patterns'),
  },
  {
    name: 'pattern-removed',
    reason: 'Text need not match a pattern any more.',
    effect: opens,
    example: schemas({ type: 'string', pattern: '^[a-z]+$' }, { type: 'string' }),
    find: (pair) => bothAllow(pair, 'string') && lostAndGained(pair, 'patterns') === 'lost' && words(pair, 'patterns'),
  },
  {
    name: 'pattern-changed',
    reason: 'Text must match another pattern. Which of the two allows more cannot be judged.',
    effect: unclear,
    example: schemas({ type: 'string', pattern: '^[0-9]+$' }, { type: 'string', pattern: '^[0-9]*$' }),
    find: (pair) => bothAllow(pair, 'string') && lostAndGained(pair, 'patterns') === 'both' && words(pair, 'patterns'),
  },
  {
    name: 'format-added',
    reason: 'Values must have a format.',
    effect: narrows,
    example: schemas({ type: 'string' }, { type: 'string', format: 'uuid' }),
    find: (pair) => bothFormatted(pair) && lostAndGained(pair, 'formats') === 'gained' && words(pair, 'formats'),
  },
  {
    name: 'format-removed',
    reason: 'Values need not have a format any more; generated clients may give them another type.',
    effect: opens,
    example: schemas({ type: 'string', format: 'uuid' }, { type: 'string' }),
    find: (pair) => bothFormatted(pair) && lostAndGained(pair, 'formats') === 'lost' && words(pair, 'formats'),
  },
  {
    name: 'format-narrowed',
    reason: 'Values have a narrower format.',
    effect: narrows,
    example: schemas({ type: 'integer', format: 'int64' }, { type: 'integer', format: 'int32' }),
    find: (pair) => bothFormatted(pair) && isWider(pair.older, pair.newer) && words(pair, 'formats'),
  },
  {
    name: 'format-widened',
    reason: 'Values have a wider format, and may not fit where the old ones did.',
    effect: widens,
    example: schemas({ type: 'integer', format: 'int32' }, { type: 'integer', format: 'int64' }),
    find: (pair) => bothFormatted(pair) && isWider(pair.newer, pair.older) && words(pair, 'formats'),
  },
  {
    name: 'format-changed',
    reason: 'Values have another format.',
    effect: alters,
    example: schemas({ type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }),
    find: (pair) =>
      bothFormatted(pair) &&
      lostAndGained(pair, 'formats') === 'both' &&
      !isWider(pair.older, pair.newer) &&
      !isWider(pair.newer, pair.older) &&
      words(pair, 'formats'),
  },
];

const bothNumbers = (pair: SchemaPair): boolean => bothAllow(pair, 'integer', 'fraction');

const bothFormatted = (pair: SchemaPair): boolean => bothAllow(pair, 'integer', 'fraction', 'string');

// Among integers, "more than 0" and "at least 1" are the same.
const lowerOf = ({ types, lower }: Schema): Bound =>
  types.has('fraction') || !Number.isFinite(lower.value)
    ? lower
    : { value: lower.exclusive ? Math.floor(lower.value) + 1 : Math.ceil(lower.value), exclusive: false };

const upperOf = ({ types, upper }: Schema): Bound =>
  types.has('fraction') || !Number.isFinite(upper.value)
    ? upper
    : { value: upper.exclusive ? Math.ceil(upper.value) - 1 : Math.floor(upper.value), exclusive: false };

/** Sign 1 for lower bounds, of which the greater is the tighter, -1 for upper ones. */
const isTighter = (one: Bound, other: Bound, sign: 1 | -1): boolean =>
  one.value === other.value ? one.exclusive && !other.exclusive : (one.value - other.value) * sign > 0;

const lowers = ({ older, newer }: SchemaPair) => ({ before: said(older.lower, '>'), after: said(newer.lower, '>') });

const uppers = ({ older, newer }: SchemaPair) => ({ before: said(older.upper, '<'), after: said(newer.upper, '<') });

const said = ({ value, exclusive }: Bound, sign: string): JsonValue | undefined =>
  exclusive ? `${sign} ${value}` : number(value);

/** Every number that fits the finer schema's steps fits the coarser one's. */
const covers = (coarse: Schema, fine: Schema): boolean =>
  coarse.multiples.every((step) => fine.multiples.some((multiple) => isMultiple(multiple, step)));

const steps = ({ older, newer }: SchemaPair) => ({ before: one(older.multiples), after: one(newer.multiples) });

const one = (list: readonly JsonValue[]): JsonValue | undefined => (list.length > 1 ? list : list[0]);

type Words = 'patterns' | 'formats';

function lostAndGained({ older, newer }: SchemaPair, field: Words): 'lost' | 'gained' | 'both' | 'neither' {
  const lost = older[field].some((word) => !newer[field].includes(word));
  const gained = newer[field].some((word) => !older[field].includes(word));
  return lost && gained ? 'both' : lost ? 'lost' : gained ? 'gained' : 'neither';
}

const words = ({ older, newer }: SchemaPair, field: Words) => ({ before: one(older[field]), after: one(newer[field]) });

/** What a format is a part of: whatever fits the first fits the others. */
const WIDER_FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ['int8', ['int16', 'int32', 'int64']],
  ['int16', ['int32', 'int64']],
  ['int32', ['int64']],
  ['float', ['double']],
  ['uri', ['uri-reference', 'iri', 'iri-reference']],
  ['email', ['idn-email']],
  ['hostname', ['idn-hostname']],
]);

const isWider = (wide: Schema, narrow: Schema): boolean =>
  wide.formats.length === 1 &&
  narrow.formats.length === 1 &&
  wide.formats.every((format) => WIDER_FORMATS.get(narrow.formats[0] ?? '')?.includes(format));
