import { asList, asText, sameSet } from '../json.ts';
import type { Pair, Rule } from '../rule.ts';
import { breaking, harmless } from '../rule.ts';
import type { Operation } from '../walk.ts';
import { operations, paths } from './example.ts';

const id = ({ node }: Operation): string | undefined => asText(node.operationId);

const isImplemented = ({ node }: Operation): boolean => node['x-not-implemented'] !== true;

/** What an operation is called, and where it is filed. */
export const operationRules: readonly Rule<Pair<Operation>>[] = [
  {
    name: 'operation-id-changed',
    // Nothing changes on the wire, but this document is published to be generated from.
    reason: 'Generated clients name their functions after the operationId: code that calls them no longer compiles.',
    effect: breaking,
    example: operations({ operationId: 'listPets' }, { operationId: 'findPets' }),
    find: ({ older, newer }) =>
      id(older) !== undefined &&
      id(newer) !== undefined &&
      id(older) !== id(newer) && { at: '/operationId', before: id(older), after: id(newer) },
  },
  {
    name: 'operation-id-removed',
    reason: 'Generated clients name their functions after the operationId, and will make one up.',
    effect: breaking,
    example: operations({ operationId: 'listPets' }, {}),
    find: ({ older, newer }) =>
      id(older) !== undefined && id(newer) === undefined && { at: '/operationId', before: id(older) },
  },
  {
    name: 'operation-id-added',
    reason: 'The operation has a name.',
    effect: harmless,
    example: operations({}, { operationId: 'listPets' }),
    find: ({ older, newer }) =>
      id(older) === undefined && id(newer) !== undefined && { at: '/operationId', after: id(newer) },
  },
  {
    name: 'tags-changed',
    reason: 'The operation is filed elsewhere in the documentation.',
    effect: harmless,
    example: operations({ tags: ['animals'] }, { tags: ['pets'] }),
    find: ({ older, newer }) =>
      !sameSet(asList(older.node.tags), asList(newer.node.tags)) && {
        at: '/tags',
        before: older.node.tags,
        after: newer.node.tags,
      },
  },
  {
    name: 'operation-unimplemented',
    reason: 'It answered, and now answers 501 (`x-not-implemented`).',
    effect: breaking,
    example: operations({}, { 'x-not-implemented': true }),
    find: ({ older, newer }) =>
      isImplemented(older) && !isImplemented(newer) && { at: '/x-not-implemented', after: true },
  },
  {
    name: 'operation-implemented',
    reason: 'It answered 501 (`x-not-implemented`), and now does what it promises.',
    effect: harmless,
    example: operations({ 'x-not-implemented': true }, {}),
    find: ({ older, newer }) =>
      !isImplemented(older) && isImplemented(newer) && { at: '/x-not-implemented', before: true },
  },
  {
    name: 'path-parameter-renamed',
    reason: 'The path is filled in by position; only its description reads otherwise.',
    effect: harmless,
    example: [pathWith('petId'), pathWith('id')],
    find: ({ older, newer }) => older.path !== newer.path && { before: older.path, after: newer.path },
  },
];

/** What is offered that was not. */
export const additionRules: readonly Rule<Operation>[] = [
  {
    name: 'operation-added',
    reason: 'There is more to call; nothing that was there changes.',
    effect: harmless,
    example: paths({}, { get: { operationId: 'listPets', responses: {} } }),
    find: (operation) => ({ after: operation.label }),
  },
];

function pathWith(name: string) {
  const parameters = [{ name, in: 'path', required: true, schema: { type: 'integer' } }];
  const [document] = operations({}, {});
  return { ...document, paths: { [`/pets/{${name}}`]: { get: { parameters, responses: {} } } } };
}
