import type { SchemaPair, SchemaRule } from '../../compareSchemas.ts';
import type { JsonValue } from '../../json.ts';
import { without } from '../../json.ts';
import { alters, breaking, harmless, narrows, opens } from '../../rule.ts';
import type { Schema } from '../../schema.ts';
import { accepts } from '../../schema.ts';
import { schemas } from '../example.ts';

/** Listed values: `enum`, `const` (an enum of one), and the open list `x-extensible-enum`. */
export const valueRules: readonly SchemaRule[] = [
  {
    name: 'enum-value-removed',
    reason: 'One value fewer is allowed.',
    effect: narrows,
    example: schemas({ enum: ['available', 'pending', 'sold'] }, { enum: ['available', 'sold'] }),
    find: (pair) => (replaced(pair) ? [] : lost(pair).map((value) => ({ before: value }))),
  },
  {
    name: 'enum-value-added',
    reason: 'One more value is allowed.',
    effect: opens,
    example: schemas({ enum: ['available', 'sold'] }, { enum: ['available', 'pending', 'sold'] }),
    find: (pair) => (replaced(pair) ? [] : gained(pair).map((value) => ({ after: value }))),
  },
  {
    name: 'enum-replaced',
    reason: 'Not one of the values stayed.',
    effect: alters,
    example: schemas({ const: 'v1' }, { const: 'v2' }),
    find: (pair) => replaced(pair) && { before: pair.older.values, after: pair.newer.values },
  },
  {
    name: 'enum-introduced',
    reason: 'Only listed values are allowed where others were too.',
    effect: narrows,
    example: schemas({ type: 'string' }, { type: 'string', enum: ['cat', 'dog'] }),
    find: ({ older, newer }) => hasValues(newer) && older.values === undefined && { after: newer.values },
  },
  {
    name: 'enum-dropped',
    reason: 'Other values than the listed ones are allowed.',
    effect: opens,
    example: schemas({ type: 'string', enum: ['cat', 'dog'] }, { type: 'string' }),
    find: ({ older, newer }) => hasValues(older) && newer.values === undefined && { before: older.values },
  },
  {
    name: 'known-value-removed',
    reason: 'A value that consumers may decide by (`x-extensible-enum`) is gone.',
    effect: breaking,
    example: schemas({ 'x-extensible-enum': ['not_found', 'gone'] }, { 'x-extensible-enum': ['not_found'] }),
    find: ({ older, newer }) =>
      without(older.knownValues ?? [], newer.knownValues ?? []).map((value) => ({ before: value })),
  },
  {
    name: 'known-value-added',
    reason: 'The list of known values (`x-extensible-enum`) is open: consumers were told that more may come.',
    effect: harmless,
    example: schemas({ 'x-extensible-enum': ['not_found'] }, { 'x-extensible-enum': ['not_found', 'gone'] }),
    find: ({ older, newer }) =>
      without(newer.knownValues ?? [], older.knownValues ?? []).map((value) => ({ after: value })),
  },
];

// A schema that allows nothing but null has an empty list.
const hasValues = ({ values }: Schema): boolean => values !== undefined && values.length > 0;

function lost({ older, newer }: SchemaPair): readonly JsonValue[] {
  if (older.values === undefined) return [];
  return newer.values === undefined
    ? older.values.filter((value) => !accepts(newer, value))
    : without(older.values, newer.values);
}

function gained({ older, newer }: SchemaPair): readonly JsonValue[] {
  if (newer.values === undefined) return [];
  return older.values === undefined
    ? newer.values.filter((value) => !accepts(older, value))
    : without(newer.values, older.values);
}

function replaced({ older, newer }: SchemaPair): boolean {
  const { values: before = [] } = older;
  const { values: after = [] } = newer;
  return before.length > 0 && after.length > 0 && without(before, after).length === before.length;
}
