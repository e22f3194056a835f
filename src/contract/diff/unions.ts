import { referenceName } from './document.ts';
import type { JsonValue } from './json.ts';
import { asObject, asText, sameJson } from './json.ts';
import type { Pair } from './rule.ts';
import type { Branch, Part, Schema, SchemaReader, TypeName, Union } from './schema.ts';
import { ALL_TYPES, isSchema } from './schema.ts';

/** Which branch of the newer union goes on from which of the older one. */
export interface UnionMatch {
  readonly older: Union;
  readonly newer: Union;
  readonly matched: readonly Pair<Branch>[];
  /** Those of the matched that another value of the discriminator selects. */
  readonly retagged: readonly Pair<Branch>[];
  readonly removed: readonly Branch[];
  readonly added: readonly Branch[];
  /** Gone as a branch of its own, but all its values are allowed by one that stayed; or the other way round. */
  readonly folded: readonly Branch[];
  readonly unfolded: readonly Branch[];
}

/** How the values of the older part relate to those of the newer one. */
export interface Relation {
  readonly narrows: boolean;
  readonly widens: boolean;
  readonly changes: boolean;
}

interface Side {
  readonly reader: SchemaReader;
  readonly union: Union;
}

/** Beyond this many pairs, leftover branches are not tried against each other: each try walks two whole schemas. */
const MOST_TRIES = 400;

/**
 * Pairs the branches of two unions. Whatever is paired is compared in full afterwards, so a wrong guess costs
 * precision, never silence. The order is from the surest sign to the weakest.
 */
export function matchBranches(older: Side, newer: Side, relate: (older: Part, newer: Part) => Relation): UnionMatch {
  const matched: Pair<Branch>[] = [];
  let before = older.union.branches;
  let after = newer.union.branches;
  const pairBy = (alike: (one: Branch, other: Branch) => boolean): void => {
    for (const one of before) {
      const other = after.find((candidate) => alike(one, candidate));
      if (other === undefined) continue;
      matched.push({ older: one, newer: other });
      before = before.filter((branch) => branch !== one);
      after = after.filter((branch) => branch !== other);
    }
  };
  const shapes = { older: shapesOf(older), newer: shapesOf(newer) };
  const sameShape = (one: Branch, other: Branch): boolean => shapes.older.get(one) === shapes.newer.get(other);
  const isAmbiguous = repeats([...shapes.older.values()]) || repeats([...shapes.newer.values()]);
  const sameThrough = (one: Branch, other: Branch): boolean =>
    sameShape(one, other) && (!isAmbiguous || !relate(one.part, other.part).changes);
  const sameName = (one: Branch, other: Branch): boolean => one.name !== undefined && one.name === other.name;
  const sameTag = (one: Branch, other: Branch): boolean =>
    (one.tag !== undefined && one.tag === other.tag) ||
    shareConstant(constants(older.reader, one.part), constants(newer.reader, other.part));
  const contained = (one: Branch, other: Branch): boolean => {
    const { narrows, widens } = relate(one.part, other.part);
    return narrows !== widens;
  };
  const overlap = (one: Branch, other: Branch): boolean => {
    const types = newer.reader.read(other.part).types;
    return [...older.reader.read(one.part).types].some((type) => types.has(type));
  };
  pairBy((one, other) => sameName(one, other) && sameThrough(one, other));
  pairBy(sameThrough);
  pairBy((one, other) => sameName(one, other) && sameShape(one, other));
  pairBy(sameShape);
  pairBy(sameName);
  pairBy(sameTag);
  const few = before.length * newer.union.branches.length + after.length * older.union.branches.length <= MOST_TRIES;
  if (few) pairBy(contained);
  if (before.length === 1 && after.length === 1) pairBy(overlap);
  const isFolded = (one: Branch): boolean =>
    few && newer.union.branches.some((other) => !relate(one.part, other.part).narrows);
  const isUnfolded = (other: Branch): boolean =>
    few && older.union.branches.some((one) => !relate(one.part, other.part).widens);
  return {
    older: older.union,
    newer: newer.union,
    matched,
    retagged: matched.filter((pair) => isRetagged(older, newer, pair)),
    removed: before.filter((branch) => !isFolded(branch)),
    folded: before.filter(isFolded),
    added: after.filter((branch) => !isUnfolded(branch)),
    unfolded: after.filter(isUnfolded),
  };
}

/** A constant in the branch itself says more than the component's name, which stands in where there is no mapping. */
function isRetagged(older: Side, newer: Side, pair: Pair<Branch>): boolean {
  const { discriminator } = newer.union;
  if (discriminator === undefined || older.union.discriminator !== discriminator || pair.older.tag === pair.newer.tag)
    return false;
  const before = constants(older.reader, pair.older.part).get(discriminator);
  return before === undefined || !sameJson(before, constants(newer.reader, pair.newer.part).get(discriminator));
}

/** Required properties with only one possible value: by these, consumers tell branches apart. */
function constants(reader: SchemaReader, part: Part): ReadonlyMap<string, JsonValue> {
  const { properties, required } = reader.object(reader.read(part));
  const found = new Map<string, JsonValue>();
  for (const [name, property] of properties) {
    const { values, nullable } = reader.read(property);
    const [value] = values ?? [];
    if (required.has(name) && values?.length === 1 && value !== undefined && !nullable) found.set(name, value);
  }
  return found;
}

const shareConstant = (one: ReadonlyMap<string, JsonValue>, other: ReadonlyMap<string, JsonValue>): boolean =>
  [...one].some(([name, value]) => sameJson(value, other.get(name)));

const shapesOf = ({ reader, union }: Side): ReadonlyMap<Branch, string> =>
  new Map(union.branches.map((branch) => [branch, fingerprint(reader, branch.part, 2)]));

const repeats = (list: readonly string[]): boolean => new Set(list).size < list.length;

/** What a schema looks like down to a depth, without the names of components. */
function fingerprint(reader: SchemaReader, part: Part, depth: number): string {
  const schema = reader.read(part);
  const { properties, required, additional, closed } = reader.object(schema);
  const deeper = (inner: Part): string => (depth === 0 ? '' : fingerprint(reader, inner, depth - 1));
  return JSON.stringify([
    [...schema.types].sort(),
    schema.nullable,
    schema.values?.map((value) => JSON.stringify(value)).sort(),
    schema.lower,
    schema.upper,
    schema.sizes,
    schema.multiples,
    schema.patterns,
    schema.formats,
    schema.unique,
    [...required].sort(),
    closed,
    [...schema.opaque.keys()].sort(),
    [...properties].map(([name, property]) => [name, deeper(property)]).sort(),
    additional.length > 0 && !closed ? deeper(additional) : '',
    schema.items.length > 0 ? deeper(schema.items) : '',
    schema.unions.map((union) => union.branches.map((branch) => deeper(branch.part)).sort()),
  ]);
}

/** More alternatives than this are not multiplied out. */
const MOST_ALTERNATIVES = 64;

/**
 * A schema as one union of alternatives, to be set against another schema whose unions are built otherwise: a plain
 * schema against a union, a list of types against a union, two unions against one. Undefined: too many to write out.
 */
export function asUnion(reader: SchemaReader, part: Part): Union | undefined {
  const schema = reader.read(part);
  const [first, second] = schema.unions;
  if (first === undefined)
    return { kind: 'anyOf', branches: byType(schema, part), discriminator: undefined, isWritten: false };
  const plain: Schema = { ...schema, unions: [], nullable: false };
  if (second === undefined) {
    return { ...first, branches: first.branches.map((branch) => ({ ...branch, part: [plain, ...branch.part] })) };
  }
  if (schema.unions.reduce((count, union) => count * union.branches.length, 1) > MOST_ALTERNATIVES) return undefined;
  const branches = schema.unions.reduce<readonly Branch[]>(
    (products, union) =>
      products.flatMap((product) =>
        union.branches.map((branch) => ({
          part: [...product.part, ...branch.part],
          node: { allOf: [product.node, branch.node] },
          label: product.label === '' ? branch.label : `${product.label}+${branch.label}`,
          name: undefined,
          tag: branch.tag ?? product.tag,
        })),
      ),
    [{ part: [plain], node: {}, label: '', name: undefined, tag: undefined }],
  );
  const possible = branches.filter((branch) => !isImpossible(reader, branch.part));
  return { kind: 'anyOf', branches: possible, discriminator: undefined, isWritten: false };
}

/** No value fits: a cat that is required to be a dog too. */
function isImpossible(reader: SchemaReader, part: Part): boolean {
  const { properties, required } = reader.object(reader.read(part));
  const isNothing = (inner: Part): boolean => {
    const { types, nullable } = reader.read(inner);
    return types.size === 0 && !nullable;
  };
  return isNothing(part) || [...properties].some(([name, property]) => required.has(name) && isNothing(property));
}

/** A list of types is a union of them; `number` stays whole. */
function byType(schema: Schema, part: Part): readonly Branch[] {
  const words = new Set([...schema.types].map((type) => (isNumeric(type) ? 'number' : type)));
  if (schema.types.size === ALL_TYPES.size || words.size <= 1) {
    const [only] = part;
    const node = only === undefined || isSchema(only) ? {} : only;
    const name = asText(asObject(node).$ref);
    return [
      { part: [{ ...schema, nullable: false }], node, label: '', name: name && referenceName(name), tag: undefined },
    ];
  }
  return [...words].map((word) => {
    const types = new Set([...schema.types].filter((type) => (isNumeric(type) ? 'number' : type) === word));
    return {
      part: [{ ...schema, types, nullable: false }],
      node: { type: word },
      label: word,
      name: undefined,
      tag: undefined,
    };
  });
}

const isNumeric = (type: TypeName): boolean => type === 'integer' || type === 'fraction';
