import type { SchemaPair, SchemaRule } from '../../compareSchemas.ts';
import type { JsonValue } from '../../json.ts';
import type { Finding } from '../../rule.ts';
import { alters, narrows, widens } from '../../rule.ts';
import type { Schema, TypeName } from '../../schema.ts';
import { ALL_TYPES } from '../../schema.ts';
import { schemas } from '../example.ts';

/** Which types of values, null among them, are allowed. */
export const typeRules: readonly SchemaRule[] = [
  {
    name: 'type-narrowed',
    reason: 'A type of value is no longer allowed.',
    effect: narrows,
    example: schemas({ type: 'number' }, { type: 'integer' }),
    find: (pair) => lost(pair).length > 0 && gained(pair).length === 0 && typeFinding(pair),
  },
  {
    name: 'type-widened',
    reason: 'A type of value is allowed that was not.',
    effect: widens,
    example: schemas({ type: 'string' }, { type: ['string', 'integer'] }),
    find: (pair) => lost(pair).length === 0 && gained(pair).length > 0 && typeFinding(pair),
  },
  {
    name: 'type-changed',
    reason: 'Values have another type.',
    effect: alters,
    example: schemas({ type: 'integer' }, { type: 'string' }),
    find: (pair) => lost(pair).length > 0 && gained(pair).length > 0 && typeFinding(pair),
  },
  {
    name: 'null-forbidden',
    reason: 'null is no longer allowed.',
    effect: narrows,
    example: schemas({ type: ['string', 'null'] }, { type: 'string' }),
    find: (pair) => pair.older.nullable && !pair.newer.nullable && nullsComparable(pair) && typeFinding(pair),
  },
  {
    name: 'null-allowed',
    reason: 'null is allowed where it was not.',
    effect: widens,
    example: schemas({ type: 'string' }, { type: ['string', 'null'] }),
    find: (pair) => !pair.older.nullable && pair.newer.nullable && nullsComparable(pair) && typeFinding(pair),
  },
];

// Two lists of values tell more exactly what was lost and gained.
const listed = ({ older, newer }: SchemaPair): boolean => older.values !== undefined && newer.values !== undefined;

const lost = (pair: SchemaPair): TypeName[] =>
  listed(pair) ? [] : [...pair.older.types].filter((type) => !pair.newer.types.has(type));

const gained = (pair: SchemaPair): TypeName[] =>
  listed(pair) ? [] : [...pair.newer.types].filter((type) => !pair.older.types.has(type));

// A schema without a type allows null too; that its type is gone or new says all.
const nullsComparable = ({ older, newer }: SchemaPair): boolean =>
  (older.types.size === ALL_TYPES.size) === (newer.types.size === ALL_TYPES.size);

const typeFinding = ({ older, newer }: SchemaPair): Finding => ({ before: typeWords(older), after: typeWords(newer) });

/** As `type` would say it. */
function typeWords({ types, nullable }: Schema): JsonValue {
  if (types.size === ALL_TYPES.size) return nullable ? 'any' : 'any but null';
  const words: string[] = [...types].filter(
    (type) => type !== 'fraction' && !(type === 'integer' && types.has('fraction')),
  );
  if (types.has('fraction')) words.push('number');
  if (nullable) words.push('null');
  const [only] = words;
  return words.length === 1 && only !== undefined ? only : words;
}
