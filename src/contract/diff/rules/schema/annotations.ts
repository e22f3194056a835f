import type { SchemaRule } from '../../compareSchemas.ts';
import { sameJson } from '../../json.ts';
import { harmless, unclear } from '../../rule.ts';
import { schemas } from '../example.ts';

/** What a schema says beside what it allows, and what cannot be judged. */
export const annotationRules: readonly SchemaRule[] = [
  {
    name: 'default-changed',
    reason: 'Who leaves the value out gets another one.',
    effect: { request: 'breaking', response: 'harmless' },
    example: schemas({ type: 'integer', default: 20 }, { type: 'integer', default: 50 }),
    find: ({ older, newer }) =>
      older.default !== undefined &&
      newer.default !== undefined &&
      !sameJson(older.default, newer.default) && { before: older.default, after: newer.default },
  },
  {
    name: 'default-removed',
    reason: 'What a value that is left out means is no longer promised.',
    effect: { request: 'breaking', response: 'harmless' },
    example: schemas({ type: 'integer', default: 20 }, { type: 'integer' }),
    find: ({ older, newer }) => older.default !== undefined && newer.default === undefined && { before: older.default },
  },
  {
    name: 'default-added',
    reason: 'What a value that is left out means is now said; it may not be what it meant before.',
    effect: { request: 'warning', response: 'harmless' },
    example: schemas({ type: 'integer' }, { type: 'integer', default: 20 }),
    find: ({ older, newer }) => older.default === undefined && newer.default !== undefined && { after: newer.default },
  },
  {
    name: 'value-deprecated',
    reason: 'Consumers are asked to stop using it.',
    effect: harmless,
    example: schemas({ type: 'string' }, { type: 'string', deprecated: true }),
    find: ({ older, newer }) => !older.deprecated && newer.deprecated && { before: false, after: true },
  },
  {
    name: 'value-reinstated',
    reason: 'It is no longer deprecated.',
    effect: harmless,
    example: schemas({ type: 'string', deprecated: true }, { type: 'string' }),
    find: ({ older, newer }) => older.deprecated && !newer.deprecated && { before: true, after: false },
  },
  {
    name: 'keyword-unjudged',
    reason: 'A keyword changed that cannot be judged.',
    effect: unclear,
    example: schemas({ not: { type: 'string' } }, { not: { type: 'integer' } }),
    find: ({ unjudged }) => unjudged,
  },
];
