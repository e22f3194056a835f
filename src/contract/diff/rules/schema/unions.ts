import type { SchemaRule } from '../../compareSchemas.ts';
import type { Finding } from '../../rule.ts';
import { alters, harmless, narrows, unclear, widens } from '../../rule.ts';
import type { Branch } from '../../schema.ts';
import type { UnionMatch } from '../../unions.ts';
import { schemas } from '../example.ts';

const CAT = { type: 'object', required: ['lives'], properties: { lives: { type: 'integer' } } };
const DOG = { type: 'object', required: ['tricks'], properties: { tricks: { type: 'array' } } };
const FISH = { type: 'object', required: ['fins'], properties: { fins: { type: 'boolean' } } };

/** `oneOf` and `anyOf`: alternatives, of which consumers know some. */
export const unionRules: readonly SchemaRule[] = [
  {
    name: 'alternative-removed',
    reason: 'One shape fewer is allowed.',
    effect: narrows,
    example: schemas({ oneOf: [CAT, DOG, FISH] }, { oneOf: [CAT, FISH] }),
    find: ({ unions }) =>
      unions.flatMap((union) => union.removed.map((branch) => at(union.older.kind, branch, 'before'))),
  },
  {
    name: 'alternative-added',
    reason: 'One more shape is allowed.',
    effect: widens,
    example: schemas({ anyOf: [CAT, FISH] }, { anyOf: [CAT, DOG, FISH] }),
    find: ({ unions }) => unions.flatMap((union) => union.added.map((branch) => at(union.newer.kind, branch, 'after'))),
  },
  {
    name: 'alternative-folded',
    reason: 'A shape is no longer named by itself, but another one allows all its values.',
    effect: harmless,
    example: schemas({ anyOf: [{ type: 'integer' }, { type: 'number' }, CAT] }, { anyOf: [{ type: 'number' }, CAT] }),
    find: ({ unions }) =>
      unions.flatMap((union) => union.folded.map((branch) => at(union.older.kind, branch, 'before'))),
  },
  {
    name: 'alternative-unfolded',
    reason: 'A shape is named by itself whose values another one allowed all along.',
    effect: harmless,
    example: schemas({ anyOf: [{ type: 'number' }, CAT] }, { anyOf: [{ type: 'integer' }, { type: 'number' }, CAT] }),
    find: ({ unions }) =>
      unions.flatMap((union) => union.unfolded.map((branch) => at(union.newer.kind, branch, 'after'))),
  },
  {
    name: 'one-of-tightened',
    reason: 'Values that fit several shapes were allowed (`anyOf`), and are not any more (`oneOf`).',
    effect: { request: 'warning', response: 'harmless' },
    example: schemas({ anyOf: [CAT, DOG] }, { oneOf: [CAT, DOG] }),
    find: ({ unions }) => kinds(unions, 'anyOf', 'oneOf'),
  },
  {
    name: 'one-of-loosened',
    reason: 'Values that fit several shapes are allowed (`anyOf`), and were not (`oneOf`).',
    effect: { request: 'harmless', response: 'warning' },
    example: schemas({ oneOf: [CAT, DOG] }, { anyOf: [CAT, DOG] }),
    find: ({ unions }) => kinds(unions, 'oneOf', 'anyOf'),
  },
  {
    name: 'discriminator-changed',
    reason: 'Another property tells the shapes apart.',
    effect: alters,
    example: schemas(
      { oneOf: [CAT, DOG], discriminator: { propertyName: 'kind' } },
      { oneOf: [CAT, DOG], discriminator: { propertyName: 'species' } },
    ),
    find: ({ unions }) =>
      unions
        .map(({ older, newer }) => ({ before: older.discriminator, after: newer.discriminator }))
        .filter(({ before, after }) => before !== undefined && after !== undefined && before !== after),
  },
  {
    name: 'discriminator-added-or-removed',
    reason: 'Whether a property tells the shapes apart changed; generated clients read the value differently.',
    effect: unclear,
    example: schemas({ oneOf: [CAT, DOG] }, { oneOf: [CAT, DOG], discriminator: { propertyName: 'kind' } }),
    find: ({ unions }) =>
      unions
        .filter(isUnionTwice)
        .map(({ older, newer }) => ({ at: '/discriminator', before: older.discriminator, after: newer.discriminator }))
        .filter(({ before, after }) => (before === undefined) !== (after === undefined)),
  },
  {
    name: 'discriminator-value-changed',
    reason: 'Another value of the discriminator selects this shape.',
    effect: alters,
    example: [tagged('kitten'), tagged('cat')],
    find: ({ unions }) =>
      unions.flatMap(({ retagged }) =>
        retagged.map(({ older, newer }) => ({
          at: `/discriminator/${newer.label}`,
          before: older.tag,
          after: newer.tag,
        })),
      ),
  },
];

function tagged(tag: string) {
  const mapping = { [tag]: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' };
  const pet = {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', mapping },
  };
  const [document] = schemas(pet, pet);
  return { ...document, components: { schemas: { Cat: CAT, Dog: DOG } } };
}

const at = (kind: string, branch: Branch, side: 'before' | 'after'): Finding => ({
  at: branch.label === '' ? '' : `/${kind}/${branch.label}`,
  [side]: branch.node,
});

/** Both sides wrote several branches; one that was only taken for a union has no discriminator to lose. */
const isUnionTwice = ({ older, newer }: UnionMatch): boolean => older.isWritten && newer.isWritten;

const kinds = (unions: readonly UnionMatch[], before: string, after: string): Finding[] =>
  unions
    .filter((union) => isUnionTwice(union) && union.older.kind === before && union.newer.kind === after)
    .map(() => ({ before, after }));
