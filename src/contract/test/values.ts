import { int64 } from '../../json.ts';
import { at, entries, isObject, items, type Json, type JsonObject, member } from '../document.ts';
import { types } from '../schema.ts';

/** A value at the edge of a schema, on this side of it or on the other. */
export interface Candidate {
  /** Where in the value the edge lies, as a JSON pointer; '' is the value itself. */
  readonly place: string;
  /** What stands there: "of 256 characters". */
  readonly what: string;
  /** The keyword that decides: "maxLength: 255". */
  readonly rule: string;
  readonly valid: boolean;
  /** JSON, in which an int64 is a bigint, and a number in other clothes (`5.0`) comes from `JSON.rawJSON`. */
  readonly value: unknown;
}

type Edge = Omit<Candidate, 'place'>;

/** How deep values are varied; a schema that contains itself would have no end. */
const deepest = 4;

/** Longer texts and lists are not sent: they show nothing that a shorter one does not. */
const longest = 10_000;

/**
 * Values at every edge of `schema`: each bound from both sides, each word of an enum and one that is none, other types,
 * each required property left out, an unknown one. Deterministic. What branches of oneOf or anyOf say of each other is
 * not seen here: hold every candidate against the compiled schema, and leave out those where the two differ.
 */
export function candidates(root: JsonObject, schema: Json | undefined, depth = 0): Candidate[] {
  const found: Candidate[] = branches(root, schema).flatMap((branch) => {
    const ownTypes = typesOf(branch);
    const here = [...otherTypes(ownTypes), ...ownTypes.flatMap((type) => edges(branch, type))];
    return [
      ...here.map((edge) => ({ place: '', ...edge })),
      ...(depth < deepest && ownTypes.includes('object') ? ofProperties(root, branch, depth) : []),
      ...(depth < deepest && ownTypes.includes('array') ? ofItems(root, branch, depth) : []),
    ];
  });
  const named = new Map(
    found.map((candidate) => [`${candidate.place} ${candidate.what} ${candidate.valid}`, candidate]),
  );
  return [...named.values()];
}

/** An ordinary value of `schema`: its example, its default, or the first one that fits. */
export function sample(root: JsonObject, schema: Json | undefined, depth = 0): unknown {
  const [branch = {}] = branches(root, schema);
  const [example] = items(branch['examples']);
  const given = example ?? branch['default'] ?? branch['const'] ?? items(branch['enum'])[0];
  if (given !== undefined) return given;
  const [type] = typesOf(branch);
  if (type === 'object') {
    const required = items(branch['required']);
    const wanted = entries(branch['properties']).filter(([name]) => depth < deepest || required.includes(name));
    return Object.fromEntries(wanted.map(([name, property]) => [name, sample(root, property, depth + 1)]));
  }
  if (type === 'array')
    return Array.from({ length: count(branch['minItems']) ?? 0 }, () => sample(root, branch['items'], depth + 1));
  const edge = type === undefined ? undefined : edges(branch, type).find(({ valid }) => valid);
  return edge === undefined ? null : edge.value;
}

/** A schema without `$ref` and `allOf`: what they say stands in it. */
function flatten(root: JsonObject, schema: Json | undefined): JsonObject {
  if (!isObject(schema)) return {};
  const { $ref, allOf, ...own } = schema;
  const parts = [...(typeof $ref === 'string' ? [at(root, $ref)] : []), ...items(allOf)].map((part) =>
    flatten(root, part),
  );
  return parts.length === 0 ? own : merge(...parts, own);
}

/** `schema` once for each of its alternatives. */
function branches(root: JsonObject, schema: Json | undefined): JsonObject[] {
  const { oneOf, anyOf, ...flat } = flatten(root, schema);
  const alternatives = [...items(oneOf), ...items(anyOf)];
  return alternatives.length === 0
    ? [flat]
    : alternatives.flatMap((one) => branches(root, one).map((branch) => merge(flat, branch)));
}

function merge(...parts: readonly JsonObject[]): JsonObject {
  const properties = Object.fromEntries(parts.flatMap((part) => entries(part['properties'])));
  const required = [...new Set(parts.flatMap((part) => items(part['required'])))];
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function typesOf(schema: JsonObject): readonly string[] {
  const own = types(schema);
  if (own.length > 0) return own;
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return ['object'];
  if (schema['items'] !== undefined) return ['array'];
  const [word] = 'const' in schema ? [schema['const']] : items(schema['enum']);
  return word === undefined ? [] : [typeName(word)];
}

function typeName(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** One of each type that is not `own`; digits in a text are what a careless server takes for a number. */
function otherTypes(own: readonly string[]): Edge[] {
  if (own.length === 0) return [];
  const numeric = own.includes('number') || own.includes('integer');
  const others: readonly [string, Json][] = [
    ['string', numeric ? '5' : own.includes('boolean') ? 'true' : 'text'],
    ['number', 5.5],
    ['integer', 5],
    ['boolean', true],
    ['null', null],
    ['array', []],
    ['object', {}],
  ];
  return others
    .filter(([type]) => !own.includes(type) && !(type === 'integer' && own.includes('number')))
    .map(([, value]) => invalid(`being ${JSON.stringify(value)}`, `type: ${own.join(' or ')}`, value));
}

function edges(schema: JsonObject, type: string): Edge[] {
  if ('const' in schema || 'enum' in schema) return words(schema);
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema, type);
    case 'boolean':
      return [true, false].map((value) => valid(`being ${value}`, 'type: boolean', value));
    case 'null':
      return [valid('being null', 'type: null', null)];
    default:
      return [];
  }
}

function words(schema: JsonObject): Edge[] {
  const taken = 'const' in schema ? [schema['const'] ?? null] : items(schema['enum']);
  const rule =
    'const' in schema
      ? `const: ${JSON.stringify(taken[0])}`
      : `enum: ${taken.map((word) => JSON.stringify(word)).join(', ')}`;
  const [first] = taken.filter((word) => typeof word === 'string');
  const strangers = first === undefined ? [] : [`no_${first}`, first.toUpperCase(), `${first} `, ''];
  return [
    ...taken.map((word) => valid(`being ${JSON.stringify(word)}`, rule, word)),
    ...strangers
      .filter((word) => !taken.includes(word))
      .map((word) => invalid(`being ${JSON.stringify(word)}`, rule, word)),
  ];
}

function texts(schema: JsonObject): Edge[] {
  const low = count(schema['minLength']) ?? 0;
  const high = count(schema['maxLength']);
  const format = schema['format'];
  // What fits a pattern or a format cannot be made up; the document's examples do.
  const free = schema['pattern'] === undefined && format === undefined;
  const given = [...items(schema['examples']), ...('default' in schema ? [schema['default'] ?? null] : [])];
  const sized = (length: number) => `of ${length} character${length === 1 ? '' : 's'}`;
  const fits = (text: string) => [...text].length >= low && (high === undefined || [...text].length <= high);
  const ordinary = ['Zoë 猫 🐈', ' two  blanks ', 'quotes "\'` \\ / <b> \n\t'].filter((text) => free && fits(text));
  const edge = [
    ...given.map((text) => valid(`being ${JSON.stringify(text)}`, 'examples', text)),
    ...(free ? [valid(sized(low), `minLength: ${low}`, 'x'.repeat(low))] : []),
    ...(free && high !== undefined && high <= longest
      ? [
          valid(sized(high), `maxLength: ${high}`, 'x'.repeat(high)),
          valid(`${sized(high)} outside the basic plane`, `maxLength: ${high}`, '🐈'.repeat(high)),
        ]
      : []),
    ...ordinary.map((text) => valid(`being ${JSON.stringify(text)}`, 'type: string', text)),
    ...(low > 0 && low <= longest ? [invalid(sized(low - 1), `minLength: ${low}`, 'x'.repeat(low - 1))] : []),
    ...(high !== undefined && high <= longest
      ? [invalid(sized(high + 1), `maxLength: ${high}`, 'x'.repeat(high + 1))]
      : []),
    ...(typeof format === 'string' ? [invalid(`that is no ${format}`, `format: ${format}`, `no ${format}`)] : []),
    ...(free
      ? [invalid('with U+0000', 'type: string, of characters that can be stored', '\0'.padStart(Math.max(low, 1), 'x'))]
      : []),
    ...(free
      ? [
          invalid(
            'with half of a surrogate pair',
            'type: string, of characters that can be stored',
            '\ud83d'.padStart(Math.max(low, 1), 'x'),
          ),
        ]
      : []),
  ];
  return edge;
}

function numbers(schema: JsonObject, type: 'integer' | 'number'): Edge[] {
  const format = schema['format'];
  const range = format === 'int64' ? int64 : format === 'int32' ? { min: -(2n ** 31n), max: 2n ** 31n - 1n } : null;
  const bound = (name: string, step: 1 | -1) => {
    const [inclusive, exclusive] = [schema[name], schema[`exclusive${name[0]?.toUpperCase()}${name.slice(1)}`]];
    if (Number.isInteger(inclusive)) return { at: BigInt(Number(inclusive)), rule: `${name}: ${inclusive}` };
    if (Number.isInteger(exclusive))
      return { at: BigInt(Number(exclusive) + step), rule: `exclusive ${name}: ${exclusive}` };
    if (range === null) return null;
    return { at: step === 1 ? range.min : range.max, rule: `format: ${format}` };
  };
  const low = bound('minimum', 1);
  const high = bound('maximum', -1);
  // A bigint only where a number would round.
  const exact = (value: bigint) => (format === 'int64' ? value : Number(value));
  const within = (value: bigint) => (low === null || value >= low.at) && (high === null || value <= high.at);
  const plain = [0n, 1n, -1n, ...(format === 'int64' ? [2n ** 53n + 1n, -(2n ** 53n) - 1n] : [])].filter(within);
  const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : null;
  const inWords = format === undefined ? `type: ${type}` : `type: ${type}, format: ${String(format)}`;
  const edge = [
    ...plain.map((value) => valid(`being ${value}`, inWords, exact(value))),
    ...(low === null
      ? []
      : [
          valid(`being ${low.at}`, low.rule, exact(low.at)),
          invalid(`being ${low.at - 1n}`, low.rule, exact(low.at - 1n)),
        ]),
    ...(high === null
      ? []
      : [
          valid(`being ${high.at}`, high.rule, exact(high.at)),
          invalid(`being ${high.at + 1n}`, high.rule, exact(high.at + 1n)),
        ]),
    ...(within(5n)
      ? ['5.0', '5e0'].map((text) =>
          valid(`written ${text}`, `${inWords}, in JSON Schema 5.0 is the integer 5`, JSON.rawJSON(text)),
        )
      : []),
  ];
  return step === null || step === 1
    ? edge
    : [...edge.filter((one) => !one.valid), valid(`being ${step}`, `multipleOf: ${step}`, step)];
}

function ofProperties(root: JsonObject, schema: JsonObject, depth: number): Candidate[] {
  const properties = entries(schema['properties']);
  const required = items(schema['required']).map(String);
  const whole: Readonly<Record<string, unknown>> = Object.fromEntries(
    properties.map(([name, property]) => [name, sample(root, property, depth + 1)]),
  );
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
  const optional = properties.map(([name]) => name).filter((name) => !required.includes(name));
  const closed = [schema['additionalProperties'], schema['unevaluatedProperties']].includes(false);
  const unknown = { ...whole, somethingUnknown: { of: ['any', 1] } };
  return [
    { place: '', ...valid('with every property', 'properties', whole) },
    ...(optional.length === 0
      ? []
      : [
          {
            place: '',
            ...valid('with the required properties only', `required: ${required.join(', ')}`, without(...optional)),
          },
        ]),
    ...required.map((name) => ({ place: `/${name}`, ...invalid('left out', `required: ${name}`, without(name)) })),
    {
      place: '/somethingUnknown',
      ...(closed
        ? invalid('that nobody knows', 'additionalProperties: false', unknown)
        : valid('that nobody knows', 'unknown fields are ignored', unknown)),
    },
    ...properties.flatMap(([name, property]) =>
      candidates(root, property, depth + 1).map((inner) => ({
        ...inner,
        place: `/${name}${inner.place}`,
        value: { ...whole, [name]: inner.value },
      })),
    ),
  ];
}

function ofItems(root: JsonObject, schema: JsonObject, depth: number): Candidate[] {
  const low = count(schema['minItems']) ?? 0;
  const high = count(schema['maxItems']);
  const list = (length: number) => Array.from({ length }, () => sample(root, schema['items'], depth + 1));
  const sized = (length: number) => `of ${length} item${length === 1 ? '' : 's'}`;
  const rest = list(Math.max(low - 1, 0));
  return [
    { place: '', ...valid(sized(low), `minItems: ${low}`, list(low)) },
    ...(low > 0 ? [{ place: '', ...invalid(sized(low - 1), `minItems: ${low}`, list(low - 1)) }] : []),
    ...(high !== undefined && high <= longest
      ? [
          { place: '', ...valid(sized(high), `maxItems: ${high}`, list(high)) },
          { place: '', ...invalid(sized(high + 1), `maxItems: ${high}`, list(high + 1)) },
        ]
      : []),
    ...(high === 0
      ? []
      : candidates(root, schema['items'], depth + 1).map((inner) => ({
          ...inner,
          place: `/0${inner.place}`,
          value: [inner.value, ...rest],
        }))),
  ];
}

function valid(what: string, rule: string, value: unknown): Edge {
  return { what, rule, valid: true, value };
}

function invalid(what: string, rule: string, value: unknown): Edge {
  return { what, rule, valid: false, value };
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The properties that a schema names, through `$ref` and `allOf`. */
export function propertiesOf(root: JsonObject, schema: Json | undefined): readonly string[] {
  return entries(member(flatten(root, schema), 'properties')).map(([name]) => name);
}
