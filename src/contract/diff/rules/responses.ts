import type { JsonObject } from '../json.ts';
import type { Pair, Rule } from '../rule.ts';
import { breaking, harmless, warning, widens } from '../rule.ts';
import type { Header, Response } from '../walk.ts';
import { isErrorStatus, isStatusRange, isSuccessStatus } from '../walk.ts';
import { responses } from './example.ts';

const OK = { '200': { description: 'Done.' } };
const CREATED = { '201': { description: 'Created.' } };
const MOVED = { '301': { description: 'Moved.' } };
const MISSING = { '404': { description: 'Missing.' } };

/** Statuses that only the older version has. */
export const removedResponseRules: readonly Rule<Response>[] = [
  {
    name: 'success-status-removed',
    reason: 'Consumers wait for this status to know that it worked.',
    effect: breaking,
    example: responses({ ...OK, ...CREATED }, OK),
    find: ({ status }) => isSuccessStatus(status) && { before: status },
  },
  {
    name: 'other-status-removed',
    reason: 'Consumers that decide by this status may wait for it in vain.',
    effect: warning,
    example: responses({ ...OK, ...MISSING }, OK),
    find: ({ status }) => !isSuccessStatus(status) && { before: status },
  },
];

/** Statuses that only the newer version has. */
export const addedResponseRules: readonly Rule<Response>[] = [
  {
    name: 'error-status-added',
    // RFC 9110, 15: a client must treat an unknown status as the x00 of its class.
    reason: 'Every consumer must be ready for errors that it does not know: it treats them as 400 or 500.',
    effect: harmless,
    example: responses(OK, { ...OK, ...MISSING }),
    find: ({ status }) => isFailure(status) && { after: status },
  },
  {
    name: 'success-status-added',
    reason: 'It may work in a way that consumers do not know, with a body that they do not read.',
    effect: { request: 'harmless', response: 'warning' },
    example: responses(OK, { ...OK, ...CREATED }),
    find: ({ status }) => isSuccessStatus(status) && { after: status },
  },
  {
    name: 'redirect-added',
    reason: 'Not every consumer follows where it is sent.',
    effect: warning,
    example: responses(OK, { ...OK, ...MOVED }),
    find: ({ status }) => !isFailure(status) && !isSuccessStatus(status) && { after: status },
  },
];

const isFailure = (status: string): boolean => isErrorStatus(status) || status === 'DEFAULT';

/** Statuses that both versions have, if perhaps as a range. */
export const responseRules: readonly Rule<Pair<Response>>[] = [
  {
    name: 'status-generalised',
    reason: 'The status is one of a range, and may be another one of it.',
    effect: { request: 'harmless', response: 'warning' },
    example: responses({ ...OK, ...MISSING }, { ...OK, '4XX': { description: 'Refused.' } }),
    find: ({ older, newer }) => isGeneral(newer) && !isGeneral(older) && { before: older.status, after: newer.status },
  },
  {
    name: 'status-specialised',
    reason: 'Of a range of statuses, this one is described by itself.',
    effect: harmless,
    example: responses(
      { ...OK, default: { description: 'Failed.' } },
      { ...OK, ...MISSING, default: { description: 'Failed.' } },
    ),
    find: ({ older, newer }) =>
      isGeneral(older) && older.status !== newer.status && { before: older.status, after: newer.status },
  },
];

const isGeneral = ({ status }: Response): boolean => isStatusRange(status) || status === 'DEFAULT';

const limited = (header: JsonObject | undefined): JsonObject => ({
  '200': { description: 'Done.', headers: header === undefined ? {} : { 'X-RateLimit-Limit': header } },
});

/** Response headers that both versions have. */
export const headerRules: readonly Rule<Pair<Header>>[] = [
  {
    name: 'header-became-optional',
    reason: 'It may be missing where it was always there.',
    effect: widens,
    example: responses(limited({ required: true }), limited({})),
    find: ({ older, newer }) => older.required && !newer.required && { before: 'required', after: 'optional' },
  },
  {
    name: 'header-became-required',
    reason: 'It is always there.',
    effect: { request: 'breaking', response: 'harmless' },
    example: responses(limited({}), limited({ required: true })),
    find: ({ older, newer }) => !older.required && newer.required && { before: 'optional', after: 'required' },
  },
  {
    name: 'header-explode-changed',
    reason: 'Objects are written otherwise (`explode`).',
    effect: breaking,
    example: responses(limited({ schema: { type: 'object' } }), limited({ explode: true, schema: { type: 'object' } })),
    find: ({ older, newer }) => older.explode !== newer.explode && { before: older.explode, after: newer.explode },
  },
];

/** Response headers that only the older version has. */
export const removedHeaderRules: readonly Rule<Header>[] = [
  {
    name: 'required-header-removed',
    reason: 'It was always there, and consumers may rely on it.',
    effect: { request: 'harmless', response: 'breaking' },
    example: responses(limited({ required: true }), limited(undefined)),
    find: ({ name, required }) => required && { before: name },
  },
  {
    name: 'optional-header-removed',
    reason: 'It could be there, and never is any more.',
    effect: { request: 'harmless', response: 'warning' },
    example: responses(limited({}), limited(undefined)),
    find: ({ name, required }) => !required && { before: name },
  },
];

/** Response headers that only the newer version has. */
export const addedHeaderRules: readonly Rule<Header>[] = [
  {
    name: 'header-added',
    reason: 'Consumers that do not know it do not see it.',
    effect: harmless,
    example: responses(limited(undefined), limited({ required: true })),
    find: ({ name }) => ({ after: name }),
  },
];
