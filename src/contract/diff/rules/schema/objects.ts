import type { SchemaPair, SchemaRule } from '../../compareSchemas.ts';
import type { Circumstances, Finding } from '../../rule.ts';
import { alters, harmless, narrows, opens, widens } from '../../rule.ts';
import { hasReached } from '../../sunset.ts';
import { EXAMPLE_DAY, schemas } from '../example.ts';

const NAME = { type: 'string' };

const object = (
  properties: readonly string[],
  required: readonly string[] = [],
  more: { additionalProperties?: boolean } = {},
) => ({
  type: 'object',
  properties: Object.fromEntries(properties.map((name) => [name, NAME])),
  ...(required.length > 0 ? { required } : {}),
  ...more,
});

const CLOSED = { additionalProperties: false };

/** Which properties an object has, and which it must have. */
export const objectRules: readonly SchemaRule[] = [
  {
    name: 'required-property-removed',
    reason: 'A property that was always there is gone; whoever still sends it is not heard.',
    effect: { request: 'harmless', response: 'breaking' },
    example: schemas(object(['name'], ['name']), object([])),
    find: (pair, circumstances) =>
      pair.object.newer.closed ? [] : found(removed(pair, circumstances).filter(wasRequired(pair)), 'before'),
  },
  {
    name: 'optional-property-removed',
    reason: 'A property that could be there is gone; whoever still sends it is not heard.',
    effect: { request: 'harmless', response: 'warning' },
    example: schemas(object(['name']), object([])),
    find: (pair, circumstances) =>
      pair.object.newer.closed ? [] : found(removed(pair, circumstances).filter(wasOptional(pair)), 'before'),
  },
  {
    name: 'required-property-forbidden',
    reason: 'A property that was always there is gone, and the object allows no others than it lists.',
    effect: alters,
    example: schemas(object(['name', 'nick'], ['nick'], CLOSED), object(['name'], [], CLOSED)),
    find: (pair, circumstances) =>
      pair.object.newer.closed ? found(removed(pair, circumstances).filter(wasRequired(pair)), 'before') : [],
  },
  {
    name: 'optional-property-forbidden',
    reason: 'A property that could be there is gone, and the object allows no others than it lists.',
    effect: { request: 'breaking', response: 'warning' },
    example: schemas(object(['name', 'nick'], [], CLOSED), object(['name'], [], CLOSED)),
    find: (pair, circumstances) =>
      pair.object.newer.closed ? found(removed(pair, circumstances).filter(wasOptional(pair)), 'before') : [],
  },
  {
    name: 'property-retired',
    reason: 'A property is gone that was deprecated, and whose `x-sunset` is reached.',
    effect: harmless,
    example: schemas(
      { type: 'object', properties: { nick: { type: 'string', deprecated: true, 'x-sunset': EXAMPLE_DAY } } },
      object([]),
    ),
    find: (pair, circumstances) =>
      found(
        gone(pair).filter((name) => isRetired(pair, name, circumstances)),
        'before',
      ),
  },
  {
    name: 'optional-property-added',
    reason: 'A property may be there that was not listed.',
    effect: harmless,
    example: schemas(object(['name']), object(['name', 'nick'])),
    find: (pair) =>
      found(
        added(pair).filter((name) => !pair.object.older.closed && !isNewlyRequired(pair, name)),
        'after',
      ),
  },
  {
    name: 'property-added-to-closed-object',
    reason: 'A property may be there though the object was to have no others than it listed.',
    effect: widens,
    example: schemas(object(['name'], [], CLOSED), object(['name', 'nick'], [], CLOSED)),
    find: (pair) => (pair.object.older.closed ? found(added(pair), 'after') : []),
  },
  {
    name: 'required-property-added',
    reason: 'A new property must be there.',
    effect: narrows,
    example: schemas(object(['name']), object(['name', 'kind'], ['kind'])),
    find: (pair) =>
      found(
        added(pair).filter((name) => isNewlyRequired(pair, name)),
        'after',
      ),
  },
  {
    name: 'property-became-required',
    reason: 'A property must be there that could be left out.',
    effect: narrows,
    example: schemas(object(['name']), object(['name'], ['name'])),
    find: (pair) =>
      requiredBy(pair, 'newer')
        .filter((name) => isNewlyRequired(pair, name) && !added(pair).includes(name))
        .map((name) => ({ at: `/properties/${name}`, before: 'optional', after: 'required' })),
  },
  {
    name: 'property-became-optional',
    reason: 'A property may be left out that was always there.',
    effect: widens,
    example: schemas(object(['name'], ['name']), object(['name'])),
    find: (pair) =>
      requiredBy(pair, 'older')
        .filter((name) => !pair.object.newer.required.has(name) && !gone(pair).includes(name))
        .map((name) => ({ at: `/properties/${name}`, before: 'required', after: 'optional' })),
  },
  {
    name: 'other-properties-forbidden',
    reason: 'Properties that are not listed are no longer allowed (`additionalProperties`).',
    effect: narrows,
    example: schemas(object(['name']), object(['name'], [], CLOSED)),
    find: (pair) =>
      bothObjects(pair) && !pair.object.older.closed && pair.object.newer.closed && { before: true, after: false },
  },
  {
    name: 'other-properties-allowed',
    reason: 'Properties that are not listed are allowed (`additionalProperties`).',
    effect: opens,
    example: schemas(object(['name'], [], CLOSED), object(['name'])),
    find: (pair) =>
      bothObjects(pair) && pair.object.older.closed && !pair.object.newer.closed && { before: false, after: true },
  },
];

const bothObjects = ({ older, newer }: SchemaPair): boolean => older.types.has('object') && newer.types.has('object');

const requiredBy = (pair: SchemaPair, side: 'older' | 'newer'): string[] =>
  bothObjects(pair) ? [...pair.object[side].required] : [];

const gone = (pair: SchemaPair): string[] =>
  bothObjects(pair)
    ? [...pair.object.older.properties.keys()].filter((name) => !pair.object.newer.properties.has(name))
    : [];

const wasRequired =
  ({ object: { older } }: SchemaPair) =>
  (name: string): boolean =>
    older.required.has(name);

const wasOptional =
  ({ object: { older } }: SchemaPair) =>
  (name: string): boolean =>
    !older.required.has(name);

const removed = (pair: SchemaPair, circumstances: Circumstances): string[] =>
  gone(pair).filter((name) => !isRetired(pair, name, circumstances));

const added = (pair: SchemaPair): string[] =>
  bothObjects(pair)
    ? [...pair.object.newer.properties.keys()].filter((name) => !pair.object.older.properties.has(name))
    : [];

const isNewlyRequired = ({ object: { older, newer } }: SchemaPair, name: string): boolean =>
  newer.required.has(name) && !older.required.has(name);

function isRetired(pair: SchemaPair, name: string, { today }: Circumstances): boolean {
  const property = pair.olderProperty(name);
  return property?.deprecated === true && hasReached(property.sunset, today);
}

const found = (names: readonly string[], side: 'before' | 'after'): Finding[] =>
  names.map((name) => ({ at: `/properties/${name}`, [side]: name }));
