import type { ApiDocument } from './document.ts';
import { referenceName } from './document.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { asList, asObject, asText, isList, isObject, isText, sameJson } from './json.ts';
import type { Direction } from './rule.ts';

/**
 * The types of JSON Schema without `null`, which is kept apart, and with `number` split in two, so that
 * `integer` ⊂ `number` is plain set inclusion.
 */
export type TypeName = 'boolean' | 'object' | 'array' | 'string' | 'integer' | 'fraction';

export const ALL_TYPES: ReadonlySet<TypeName> = new Set<TypeName>([
  'boolean',
  'object',
  'array',
  'string',
  'integer',
  'fraction',
]);

const TYPES_BY_WORD: ReadonlyMap<JsonValue, readonly TypeName[]> = new Map<JsonValue, readonly TypeName[]>([
  ['boolean', ['boolean']],
  ['object', ['object']],
  ['array', ['array']],
  ['string', ['string']],
  ['integer', ['integer']],
  ['number', ['integer', 'fraction']],
  ['null', []],
]);

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

export const SIZE_KEYWORDS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;
export type SizeKeyword = (typeof SIZE_KEYWORDS)[number];

/** What one schema object says of an object's properties; `additionalProperties` speaks only of the names beside it. */
interface Shape {
  readonly properties: JsonObject;
  readonly additional: JsonValue | undefined;
  readonly patterned: boolean;
}

export interface Branch {
  readonly part: Part;
  /** As the document writes it. */
  readonly node: JsonValue;
  /** The component's name, or the branch's position. */
  readonly label: string;
  readonly name: string | undefined;
  /** The value of the discriminator that selects this branch. */
  readonly tag: string | undefined;
}

export interface Union {
  readonly kind: 'oneOf' | 'anyOf';
  readonly branches: readonly Branch[];
  readonly discriminator: string | undefined;
  /** False for a plain schema that is only taken for a union, to be set against one. */
  readonly isWritten: boolean;
}

/**
 * What a schema demands once its references are followed, its `allOf` is merged and its dialect forgotten. It is a
 * conjunction: every field restricts, and the value of a field that restricts nothing is the neutral one.
 */
export interface Schema {
  readonly types: ReadonlySet<TypeName>;
  readonly nullable: boolean;
  /** The only values allowed (`enum`, `const`), without null; undefined: any. */
  readonly values: readonly JsonValue[] | undefined;
  readonly lower: Bound;
  readonly upper: Bound;
  readonly sizes: Readonly<Record<SizeKeyword, number>>;
  readonly multiples: readonly number[];
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly unique: boolean;
  readonly required: ReadonlySet<string>;
  readonly shapes: readonly Shape[];
  readonly unevaluated: readonly JsonValue[];
  readonly items: readonly JsonValue[];
  readonly unions: readonly Union[];
  readonly default: JsonValue | undefined;
  readonly deprecated: boolean;
  readonly sunset: JsonValue | undefined;
  /** `x-extensible-enum`: values known today, more may come. */
  readonly knownValues: readonly JsonValue[] | undefined;
  /** Keywords that are carried along but not understood here. */
  readonly opaque: ReadonlyMap<string, readonly JsonValue[]>;
}

/** Schemas that hold together, yet to be read: nodes of the document, or what was read of them before. */
export type Part = readonly (JsonValue | Schema)[];

/** The properties of an object, as one direction sees them. */
export interface ObjectView {
  readonly properties: ReadonlyMap<string, Part>;
  readonly required: ReadonlySet<string>;
  readonly additional: Part;
  /** No other property is allowed. */
  readonly closed: boolean;
}

const NO_BOUND = { value: Number.POSITIVE_INFINITY, exclusive: false };

/** The schema that allows everything. */
export const ANY: Schema = {
  types: ALL_TYPES,
  nullable: true,
  values: undefined,
  lower: { ...NO_BOUND, value: Number.NEGATIVE_INFINITY },
  upper: NO_BOUND,
  sizes: {
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    minItems: 0,
    maxItems: Number.POSITIVE_INFINITY,
    minProperties: 0,
    maxProperties: Number.POSITIVE_INFINITY,
  },
  multiples: [],
  patterns: [],
  formats: [],
  unique: false,
  required: new Set(),
  shapes: [],
  unevaluated: [],
  items: [],
  unions: [],
  default: undefined,
  deprecated: false,
  sunset: undefined,
  knownValues: undefined,
  opaque: new Map(),
};

const NOTHING: Schema = { ...ANY, types: new Set(), nullable: false };

/** Both at once. Of the annotations, the later one's count. */
export function intersect(one: Schema, other: Schema): Schema {
  return {
    types: one.types === ALL_TYPES ? other.types : new Set([...one.types].filter((type) => other.types.has(type))),
    nullable: one.nullable && other.nullable,
    values: bothValues(one.values, other.values),
    lower: higher(one.lower, other.lower),
    upper: lower(one.upper, other.upper),
    sizes: {
      minLength: Math.max(one.sizes.minLength, other.sizes.minLength),
      maxLength: Math.min(one.sizes.maxLength, other.sizes.maxLength),
      minItems: Math.max(one.sizes.minItems, other.sizes.minItems),
      maxItems: Math.min(one.sizes.maxItems, other.sizes.maxItems),
      minProperties: Math.max(one.sizes.minProperties, other.sizes.minProperties),
      maxProperties: Math.min(one.sizes.maxProperties, other.sizes.maxProperties),
    },
    multiples: unite(one.multiples, other.multiples),
    patterns: unite(one.patterns, other.patterns),
    formats: unite(one.formats, other.formats),
    unique: one.unique || other.unique,
    required: new Set([...one.required, ...other.required]),
    shapes: unite(one.shapes, other.shapes),
    unevaluated: unite(one.unevaluated, other.unevaluated),
    items: unite(one.items, other.items),
    unions: unite(one.unions, other.unions),
    default: other.default ?? one.default,
    deprecated: one.deprecated || other.deprecated,
    sunset: other.sunset ?? one.sunset,
    knownValues: other.knownValues ?? one.knownValues,
    opaque: bothOpaque(one.opaque, other.opaque),
  };
}

const unite = <T>(one: readonly T[], other: readonly T[]): readonly T[] =>
  one.length === 0 ? other : other.length === 0 ? one : [...new Set([...one, ...other])];

const lower = (one: Bound, other: Bound): Bound =>
  one.value < other.value || (one.value === other.value && one.exclusive) ? one : other;

const higher = (one: Bound, other: Bound): Bound =>
  one.value > other.value || (one.value === other.value && one.exclusive) ? one : other;

function bothValues(one: Schema['values'], other: Schema['values']): Schema['values'] {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((value) => other.some((candidate) => sameJson(value, candidate)));
}

function bothOpaque(one: Schema['opaque'], other: Schema['opaque']): Schema['opaque'] {
  if (one.size === 0) return other;
  const both = new Map(one);
  for (const [keyword, values] of other) both.set(keyword, [...(both.get(keyword) ?? []), ...values]);
  return both;
}

/** Which type a value has. */
export function typeOf(value: JsonValue): TypeName | 'null' {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

/** Whether a value that is neither object nor array is allowed; those two are not looked into. */
export function accepts(schema: Schema, value: JsonValue): boolean {
  const type = typeOf(value);
  if (type === 'null') return schema.nullable;
  if (!schema.types.has(type)) return false;
  if (schema.values !== undefined && !schema.values.some((allowed) => sameJson(allowed, value))) return false;
  if (typeof value === 'string') return acceptsText(schema, value);
  return typeof value !== 'number' || acceptsNumber(schema, value);
}

function acceptsText(schema: Schema, text: string): boolean {
  const length = [...text].length;
  if (length < schema.sizes.minLength || length > schema.sizes.maxLength) return false;
  return schema.patterns.every((pattern) => matches(pattern, text));
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    // A pattern that this engine cannot read forbids nothing that we could name.
    return true;
  }
}

function acceptsNumber({ lower, upper, multiples }: Schema, value: number): boolean {
  return (
    (lower.exclusive ? value > lower.value : value >= lower.value) &&
    (upper.exclusive ? value < upper.value : value <= upper.value) &&
    multiples.every((step) => isMultiple(value, step))
  );
}

/** Whether `value` is a multiple of `step`, though 0.3 / 0.1 is 2.9999999999999996. */
export function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Keywords whose change is judged, or that only speak to people. */
// biome-ignore format: as a list to read.
const READ_KEYWORDS = new Set([
  'type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'pattern',
  'format', 'uniqueItems', 'required', 'properties', 'additionalProperties', 'unevaluatedProperties', 'items', 'allOf',
  'oneOf', 'anyOf', 'default', 'deprecated', 'readOnly', 'writeOnly', '$ref', 'discriminator', ...SIZE_KEYWORDS,
  'title', 'description', 'example', 'examples', 'externalDocs', '$comment', '$defs', 'definitions', '$schema', '$id',
  '$anchor',
])

/** Reads the schemas of one document as one direction sees them. */
export class SchemaReader {
  readonly #document: ApiDocument;
  readonly #direction: Direction;
  readonly #byNode = new Map<JsonObject, Schema>();
  readonly #byPart = new Map<string, Schema>();
  readonly #views = new Map<Schema, ObjectView>();
  readonly #numbers = new Map<unknown, number>();
  /** How often a reference that leads back to itself was cut; such a reading depends on where it began. */
  #cuts = 0;

  constructor(document: ApiDocument, direction: Direction) {
    this.#document = document;
    this.#direction = direction;
  }

  /** A name for a part that is the same for the same nodes. */
  key(part: Part): string {
    return part.map((member) => this.#number(member)).join('+');
  }

  #number(member: JsonValue | Schema): number {
    const known = this.#numbers.get(member);
    if (known !== undefined) return known;
    this.#numbers.set(member, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  read(part: Part): Schema {
    const key = this.key(part);
    const known = this.#byPart.get(key);
    if (known !== undefined) return known;
    const whole = part
      .map((member) => (isSchema(member) ? member : this.#node(member, new Set())))
      .reduce<Schema>((one, other) => (one === ANY ? other : intersect(one, other)), ANY);
    const schema = withoutImpossibleValues(whole);
    this.#byPart.set(key, schema);
    return schema;
  }

  /** The properties, without those that this direction never carries. */
  object(schema: Schema): ObjectView {
    const known = this.#views.get(schema);
    if (known !== undefined) return known;
    const properties = new Map<string, Part>();
    const absent = new Set<string>();
    for (const name of new Set(schema.shapes.flatMap((shape) => Object.keys(shape.properties)))) {
      const part = schema.shapes.flatMap((shape) => saidOf(name, shape));
      if (part.some((node) => this.#isOtherWay(node))) absent.add(name);
      else if (!part.includes(false)) properties.set(name, part);
    }
    const additional = [
      ...schema.shapes.flatMap(({ additional: rest }) => (rest === undefined ? [] : [rest])),
      ...schema.unevaluated,
    ];
    const view: ObjectView = {
      properties,
      required: new Set([...schema.required].filter((name) => !absent.has(name))),
      additional: additional.filter((node) => node !== true && !isEmpty(node)),
      closed: additional.includes(false),
    };
    this.#views.set(schema, view);
    return view;
  }

  /** A request carries no `readOnly` property, a response no `writeOnly` one, whatever `required` says. */
  #isOtherWay(node: JsonValue): boolean {
    const keyword = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    const seen = new Set<JsonValue>();
    const says = (at: JsonValue | undefined): boolean => {
      if (!isObject(at) || seen.has(at)) return false;
      seen.add(at);
      if (at[keyword] === true) return true;
      return (isText(at.$ref) && says(this.#document.target(at.$ref))) || asList(at.allOf).some(says);
    };
    return says(node);
  }

  #node(node: JsonValue | undefined, trail: ReadonlySet<JsonValue>): Schema {
    if (node === false) return NOTHING;
    if (!isObject(node)) return ANY;
    const known = this.#byNode.get(node);
    if (known !== undefined) return known;
    if (trail.has(node)) {
      this.#cuts += 1;
      return ANY;
    }
    const cutsBefore = this.#cuts;
    const schema = this.#combine(node, new Set([...trail, node]));
    if (this.#cuts === cutsBefore) this.#byNode.set(node, schema);
    return schema;
  }

  #combine(node: JsonObject, trail: ReadonlySet<JsonValue>): Schema {
    const reference = asText(node.$ref);
    const referred = reference === undefined ? ANY : this.#node(this.#document.target(reference), trail);
    if (reference !== undefined && this.#document.dialect === '3.0') return referred;
    const merged = [referred, ...asList(node.allOf).map((member) => this.#node(member, trail)), this.#own(node)]
      .filter((schema) => schema !== ANY)
      .reduce((one, other) => intersect(one, other), ANY);
    const united = (['oneOf', 'anyOf'] as const).reduce(
      (schema, kind) => (isList(node[kind]) ? this.#withUnion(schema, kind, node, trail) : schema),
      merged,
    );
    // Strictly, `nullable` only widens a `type` beside it. Authors of 3.0 also write it beside allOf, oneOf and enum,
    // and mean it.
    return this.#document.dialect === '3.0' && node.nullable === true ? { ...united, nullable: true } : united;
  }

  /** A union of one, or of constants, is none; null among the branches is nullability. */
  #withUnion(own: Schema, kind: Union['kind'], node: JsonObject, trail: ReadonlySet<JsonValue>): Schema {
    const nodes = asList(node[kind]);
    const read = nodes.map((branch) => this.#node(branch, trail));
    const nullable = own.nullable && read.some((branch) => branch.nullable);
    const live = read.filter((branch) => branch.types.size > 0);
    const [only] = live;
    if (only === undefined) return { ...own, types: new Set(), nullable };
    if (live.length === 1) return { ...intersect(own, only), nullable };
    const values = live.flatMap((branch) => branch.values ?? []);
    if (live.every((branch) => branch.values !== undefined)) {
      return { ...intersect(own, { ...ANY, values, types: typesOf(values) }), nullable };
    }
    const discriminator = asObject(node.discriminator);
    const tags = tagsByTarget(discriminator);
    const branches = nodes.flatMap((branch, index): Branch[] => {
      if (read[index]?.types.size === 0) return [];
      const reference = asText(asObject(branch).$ref);
      const name = reference === undefined ? undefined : referenceName(reference);
      const tag =
        reference === undefined || !isText(discriminator.propertyName) ? undefined : (tags.get(reference) ?? name);
      return [{ part: [branch], node: branch, label: name ?? String(index), name, tag }];
    });
    const union = { kind, branches, discriminator: asText(discriminator.propertyName), isWritten: true };
    return { ...own, nullable, unions: [...own.unions, union] };
  }

  /** The node's own keywords, but for those that combine schemas. */
  #own(node: JsonObject): Schema {
    const opaque = this.#opaque(node);
    const values = isList(node.enum) ? node.enum : undefined;
    const allowed = 'const' in node ? bothValues(values, [node.const ?? null]) : values;
    const types = declaredTypes(node.type);
    return {
      ...ANY,
      types: types ?? (allowed === undefined ? ALL_TYPES : typesOf(allowed)),
      nullable: (types === undefined || asWords(node.type).includes('null')) && (allowed?.includes(null) ?? true),
      values: allowed?.filter((value) => value !== null),
      lower: bound(node.minimum, node.exclusiveMinimum, ANY.lower, higher),
      upper: bound(node.maximum, node.exclusiveMaximum, ANY.upper, lower),
      sizes: sizes(node),
      multiples: typeof node.multipleOf === 'number' ? [node.multipleOf] : [],
      patterns: isText(node.pattern) ? [node.pattern] : [],
      formats: isText(node.format) ? [node.format] : [],
      unique: node.uniqueItems === true,
      required: new Set(asList(node.required).filter(isText)),
      shapes:
        isObject(node.properties) || node.additionalProperties !== undefined
          ? [
              {
                properties: asObject(node.properties),
                additional: node.additionalProperties,
                patterned: isObject(node.patternProperties),
              },
            ]
          : [],
      unevaluated: node.unevaluatedProperties === undefined ? [] : [node.unevaluatedProperties],
      items: node.items === undefined || isEmpty(node.items) ? [] : [node.items],
      default: node.default,
      deprecated: node.deprecated === true,
      sunset: node['x-sunset'],
      knownValues: isList(node['x-extensible-enum']) ? node['x-extensible-enum'] : undefined,
      opaque,
    };
  }

  #opaque(node: JsonObject): ReadonlyMap<string, readonly JsonValue[]> {
    const opaque = new Map<string, readonly JsonValue[]>();
    for (const [keyword, value] of Object.entries(node)) {
      const read =
        READ_KEYWORDS.has(keyword) ||
        keyword.startsWith('x-') ||
        (keyword === 'nullable' && this.#document.dialect === '3.0');
      if (!read) opaque.set(keyword, [value]);
    }
    if (node.type !== undefined && declaredTypes(node.type) === undefined) opaque.set('type', [node.type]);
    // Without branches the discriminator stands on a base schema; its targets may be renamed, its tags may not.
    if (isObject(node.discriminator) && !isList(node.oneOf) && !isList(node.anyOf)) {
      const { propertyName, mapping } = node.discriminator;
      opaque.set('discriminator', [
        { propertyName: propertyName ?? null, tags: Object.keys(asObject(mapping)).sort() },
      ]);
    }
    return opaque;
  }
}

/** A part holds what was read beside what is yet to be read; only the former has its types as a set. */
export const isSchema = (member: JsonValue | Schema): member is Schema =>
  typeof member === 'object' && member !== null && 'shapes' in member && member.types instanceof Set;

const isEmpty = (node: JsonValue): boolean => isObject(node) && Object.keys(node).length === 0;

/** What one shape says of a property: its own schema, else that of the names it does not list. */
function saidOf(name: string, { properties, additional, patterned }: Shape): readonly JsonValue[] {
  const own = properties[name];
  if (own !== undefined) return [own];
  return patterned || additional === undefined || additional === true ? [] : [additional];
}

const asWords = (type: JsonValue | undefined): readonly JsonValue[] =>
  isList(type) ? type : type === undefined ? [] : [type];

/** Undefined where there is no type, or one that no one knows. */
function declaredTypes(type: JsonValue | undefined): ReadonlySet<TypeName> | undefined {
  const words = asWords(type);
  const known = words.flatMap((word) => TYPES_BY_WORD.get(word) ?? []);
  return words.length === 0 || words.some((word) => !TYPES_BY_WORD.has(word)) ? undefined : new Set(known);
}

function typesOf(values: readonly JsonValue[]): ReadonlySet<TypeName> {
  const types = new Set<TypeName>();
  for (const value of values) {
    const type = typeOf(value);
    if (type !== 'null') types.add(type);
  }
  return types;
}

/** 3.0 says with a boolean that the bound itself is excluded, 3.1 gives the excluded bound. */
function bound(
  inclusive: JsonValue | undefined,
  exclusive: JsonValue | undefined,
  none: Bound,
  tighter: typeof lower,
): Bound {
  const plain = typeof inclusive === 'number' ? { value: inclusive, exclusive: exclusive === true } : none;
  return typeof exclusive === 'number' ? tighter(plain, { value: exclusive, exclusive: true }) : plain;
}

function sizes(node: JsonObject): Schema['sizes'] {
  const said = (keyword: SizeKeyword): number => {
    const size = node[keyword];
    return typeof size === 'number' ? size : ANY.sizes[keyword];
  };
  return {
    minLength: said('minLength'),
    maxLength: said('maxLength'),
    minItems: said('minItems'),
    maxItems: said('maxItems'),
    minProperties: said('minProperties'),
    maxProperties: said('maxProperties'),
  };
}

/** A mapping's value is a reference, or the bare name of a component. */
function tagsByTarget(discriminator: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(asObject(discriminator.mapping)).flatMap(([tag, target]) =>
      isText(target) ? [[target.includes('/') ? target : `#/components/schemas/${target}`, tag]] : [],
    ),
  );
}

/** Drops listed values that the other keywords forbid, and types that no listed value has. */
function withoutImpossibleValues(schema: Schema): Schema {
  if (schema.values === undefined) return schema;
  const values = schema.values.filter((value) => accepts(schema, value));
  return { ...schema, values, types: typesOf(values) };
}
