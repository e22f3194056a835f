import type { JsonObject } from '../json.ts';
import { sameJson } from '../json.ts';
import type { Pair, Rule } from '../rule.ts';
import { breaking, harmless, narrows, unclear, widens } from '../rule.ts';
import type { Body, MediaType } from '../walk.ts';
import { isRange } from '../walk.ts';
import { bodies } from './example.ts';

const body = (...types: string[]): JsonObject => ({ content: Object.fromEntries(types.map((type) => [type, {}])) });

/** Whether a request has a body. */
export const bodyRules: readonly Rule<Pair<Body | undefined>>[] = [
  {
    name: 'request-body-became-required',
    reason: 'Calls without a body are refused.',
    effect: narrows,
    example: bodies(body('application/json'), { ...body('application/json'), required: true }),
    find: ({ older, newer }) =>
      older?.required === false && newer?.required === true && { before: 'optional', after: 'required' },
  },
  {
    name: 'request-body-became-optional',
    reason: 'The body may be left out.',
    effect: widens,
    example: bodies({ ...body('application/json'), required: true }, body('application/json')),
    find: ({ older, newer }) =>
      older?.required === true && newer?.required === false && { before: 'required', after: 'optional' },
  },
  {
    name: 'required-request-body-added',
    reason: 'Calls without a body are refused.',
    effect: narrows,
    example: bodies(undefined, { ...body('application/json'), required: true }),
    find: ({ older, newer }) => older === undefined && newer?.required === true && { after: 'required' },
  },
  {
    name: 'optional-request-body-added',
    reason: 'A body may be sent, and may be left out.',
    effect: harmless,
    example: bodies(undefined, body('application/json')),
    find: ({ older, newer }) => older === undefined && newer?.required === false && { after: 'optional' },
  },
  {
    name: 'request-body-removed',
    reason: 'What the body said is ignored, or refused.',
    effect: breaking,
    example: bodies(body('application/json'), undefined),
    find: ({ older, newer }) =>
      older !== undefined && newer === undefined && { before: older.required ? 'required' : 'optional' },
  },
];

/** Media types that both versions have, if perhaps as a range. */
export const mediaTypeRules: readonly Rule<Pair<MediaType>>[] = [
  {
    name: 'media-type-narrowed',
    reason: 'Of a range of media types only some are left.',
    effect: narrows,
    example: bodies(body('application/*'), body('application/json')),
    find: ({ older, newer }) => isRange(older) && !isRange(newer) && names(older, newer),
  },
  {
    name: 'media-type-widened',
    reason: 'A media type became a range of them.',
    effect: widens,
    example: bodies(body('application/json'), body('application/*')),
    find: ({ older, newer }) => !isRange(older) && isRange(newer) && names(older, newer),
  },
  {
    name: 'media-type-parameters-changed',
    reason: 'The media type has other parameters; whether they matter cannot be judged.',
    effect: unclear,
    example: bodies(body('application/json;version=1'), body('application/json;version=2')),
    find: ({ older, newer }) =>
      isRange(older) === isRange(newer) && compact(older) !== compact(newer) && names(older, newer),
  },
  {
    name: 'encoding-changed',
    reason: 'The parts of the body are written otherwise (`encoding`), which cannot be judged.',
    effect: unclear,
    example: bodies(
      { content: { 'multipart/form-data': {} } },
      { content: { 'multipart/form-data': { encoding: { photo: { contentType: 'image/png' } } } } },
    ),
    find: ({ older, newer }) =>
      !sameJson(older.encoding, newer.encoding) && { before: older.encoding, after: newer.encoding },
  },
];

/** Media types that only the older version has. */
export const removedMediaTypeRules: readonly Rule<MediaType>[] = [
  {
    name: 'media-type-removed',
    reason: 'Consumers that write or read it are turned away.',
    effect: breaking,
    example: bodies(body('application/json', 'application/xml'), body('application/json')),
    find: ({ name }) => ({ before: name }),
  },
];

/** Media types that only the newer version has. */
export const addedMediaTypeRules: readonly Rule<MediaType>[] = [
  {
    name: 'media-type-added',
    reason: 'It comes only to those who ask for it (`Accept`), and only from those who choose it.',
    effect: harmless,
    example: bodies(body('application/json'), body('application/json', 'application/xml')),
    find: ({ name }) => ({ after: name }),
  },
];

const compact = ({ name }: MediaType): string => name.toLowerCase().replaceAll(' ', '');

const names = (older: MediaType, newer: MediaType) => ({ before: older.name, after: newer.name });
