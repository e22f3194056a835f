import type { ApiDocument } from '../document.ts';
import type { Pair, Rule } from '../rule.ts';
import { unclear } from '../rule.ts';
import { schemas } from './example.ts';

/** References that lead out of the document, or nowhere. */
export const referenceRules: readonly Rule<Pair<ApiDocument>>[] = [
  {
    name: 'reference-unresolved',
    reason: 'It cannot be followed, so what it stands for cannot be judged. Bundle the document into one file.',
    effect: unclear,
    example: schemas({}, { $ref: 'animals.yaml#/Animal' }),
    find: ({ older, newer }) => [
      ...[...older.unresolved].filter((reference) => !newer.unresolved.has(reference)).map((before) => ({ before })),
      ...[...newer.unresolved].filter((reference) => !older.unresolved.has(reference)).map((after) => ({ after })),
    ],
  },
];
