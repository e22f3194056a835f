import type { JsonObject, JsonValue } from '../json.ts';
import type { Circumstances, Pair, Rule } from '../rule.ts';
import { breaking, harmless, narrows, widens } from '../rule.ts';
import { hasReached } from '../sunset.ts';
import type { Parameter } from '../walk.ts';
import { EXAMPLE_DAY, parameters } from './example.ts';

const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const IDS = { name: 'ids', in: 'query', schema: { type: 'array' } };

/** Parameters that both versions have. */
export const parameterRules: readonly Rule<Pair<Parameter>>[] = [
  {
    name: 'parameter-became-required',
    reason: 'Calls that leave it out are refused.',
    effect: narrows,
    example: parameters([LIMIT], [{ ...LIMIT, required: true }]),
    find: ({ older, newer }) => !older.required && newer.required && { before: 'optional', after: 'required' },
  },
  {
    name: 'parameter-became-optional',
    reason: 'It may be left out.',
    effect: widens,
    example: parameters([{ ...LIMIT, required: true }], [LIMIT]),
    find: ({ older, newer }) => older.required && !newer.required && { before: 'required', after: 'optional' },
  },
  {
    name: 'parameter-moved',
    reason: 'It is looked for elsewhere; where it was sent it is not seen.',
    effect: breaking,
    example: parameters([LIMIT], [{ ...LIMIT, in: 'header' }]),
    find: ({ older, newer }) => older.location !== newer.location && { before: older.location, after: newer.location },
  },
  {
    name: 'parameter-style-changed',
    reason: 'Lists and objects are written otherwise (`style`): what was sent is read as something else.',
    effect: breaking,
    example: parameters([IDS], [{ ...IDS, style: 'pipeDelimited' }]),
    find: ({ older, newer }) =>
      older.location === newer.location && older.style !== newer.style && { before: older.style, after: newer.style },
  },
  {
    name: 'parameter-explode-changed',
    reason: 'Lists and objects are written otherwise (`explode`): what was sent is read as something else.',
    effect: breaking,
    example: parameters([IDS], [{ ...IDS, explode: false }]),
    find: ({ older, newer }) =>
      older.style === newer.style && older.explode !== newer.explode && { before: older.explode, after: newer.explode },
  },
  {
    name: 'parameter-media-type-changed',
    reason: 'The value is written in another way (`content`).',
    effect: breaking,
    example: parameters(
      [LIMIT],
      [{ name: 'limit', in: 'query', content: { 'application/json': { schema: { type: 'integer' } } } }],
    ),
    find: ({ older, newer }) => older.media !== newer.media && { before: older.media, after: newer.media },
  },
  {
    name: 'parameter-empty-value-refused',
    reason: 'It may no longer be sent without a value (`allowEmptyValue`).',
    effect: narrows,
    example: parameters([{ ...LIMIT, allowEmptyValue: true }], [LIMIT]),
    find: (pair) => flag(pair, 'allowEmptyValue', true, false),
  },
  {
    name: 'parameter-empty-value-accepted',
    reason: 'It may be sent without a value (`allowEmptyValue`).',
    effect: widens,
    example: parameters([LIMIT], [{ ...LIMIT, allowEmptyValue: true }]),
    find: (pair) => flag(pair, 'allowEmptyValue', false, true),
  },
  {
    name: 'parameter-reserved-refused',
    reason: 'Reserved characters must be percent-encoded (`allowReserved`).',
    effect: narrows,
    example: parameters([{ ...LIMIT, allowReserved: true }], [LIMIT]),
    find: (pair) => flag(pair, 'allowReserved', true, false),
  },
  {
    name: 'parameter-reserved-accepted',
    reason: 'Reserved characters need not be percent-encoded (`allowReserved`).',
    effect: widens,
    example: parameters([LIMIT], [{ ...LIMIT, allowReserved: true }]),
    find: (pair) => flag(pair, 'allowReserved', false, true),
  },
  {
    name: 'parameter-deprecated',
    reason: 'Consumers are asked to stop sending it.',
    effect: harmless,
    example: parameters([LIMIT], [{ ...LIMIT, deprecated: true }]),
    find: (pair) => flag(pair, 'deprecated', false, true),
  },
  {
    name: 'parameter-reinstated',
    reason: 'It is no longer deprecated.',
    effect: harmless,
    example: parameters([{ ...LIMIT, deprecated: true }], [LIMIT]),
    find: (pair) => flag(pair, 'deprecated', true, false),
  },
];

/** Parameters that only the older version has. */
export const removedParameterRules: readonly Rule<Parameter>[] = [
  {
    name: 'parameter-removed',
    // An unknown parameter is ignored at best: a filter that is ignored answers with what was to be left out.
    reason: 'What it asked for is silently no longer done, and generated clients lose the argument.',
    effect: breaking,
    example: parameters([LIMIT], []),
    find: (parameter, circumstances) => !isRetired(parameter, circumstances) && { before: parameter.name },
  },
  {
    name: 'parameter-retired',
    reason: 'It was deprecated, and its `x-sunset` is reached.',
    effect: harmless,
    example: parameters([{ ...LIMIT, deprecated: true, 'x-sunset': EXAMPLE_DAY }], []),
    find: (parameter, circumstances) => isRetired(parameter, circumstances) && { before: parameter.name },
  },
];

/** Parameters that only the newer version has. */
export const addedParameterRules: readonly Rule<Parameter>[] = [
  {
    name: 'required-parameter-added',
    reason: 'Calls that do not know it are refused.',
    effect: narrows,
    example: parameters([], [{ ...LIMIT, required: true }]),
    find: (parameter) => parameter.required && { after: parameter.name },
  },
  {
    name: 'optional-parameter-added',
    reason: 'It may be left out.',
    effect: harmless,
    example: parameters([], [LIMIT]),
    find: (parameter) => !parameter.required && { after: parameter.name },
  },
];

function flag({ older, newer }: Pair<{ node: JsonObject }>, keyword: string, before: boolean, after: boolean) {
  const is = (value: JsonValue | undefined): boolean => value === true;
  return is(older.node[keyword]) === before && is(newer.node[keyword]) === after && { before, after };
}

const isRetired = ({ node }: Parameter, { today }: Circumstances): boolean =>
  node.deprecated === true && hasReached(node['x-sunset'], today);
