import { entries, isObject, items, type Json, type JsonObject, member, resolve } from './document.ts';

/** The formats of texts, which ajv-formats checks. */
export const textFormats = [
  'date-time',
  'date',
  'time',
  'duration',
  'uuid',
  'email',
  'uri',
  'hostname',
  'ipv4',
  'ipv6',
] as const;

/** The formats that the server checks. */
export const formats: readonly string[] = ['int32', 'int64', ...textFormats];

/** Where other schemas stand inside a schema: one, a list, or a map of them. */
export const inner = {
  one: [
    'items',
    'additionalProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'unevaluatedProperties',
    'unevaluatedItems',
  ],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs'],
} as const;

/** All else that a schema may say and the server keeps, or that is there to be read. */
const others = [
  '$ref',
  '$comment',
  'title',
  'description',
  'deprecated',
  'examples',
  'externalDocs',
  'default',
  'type',
  'format',
  'enum',
  'const',
  'x-extensible-enum',
  'required',
  'dependentRequired',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
];

const typeNames = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];

const refused: Record<string, string> = {
  nullable: "nullable is OpenAPI 3.0; write type: [string, 'null']",
  readOnly: 'readOnly is not kept; write one schema for requests and one for responses, as NewPet and Pet',
  writeOnly: 'writeOnly is not kept; write one schema for requests and one for responses, as NewPet and Pet',
  discriminator: 'discriminator is not kept; a const in each branch of oneOf says the same',
  xml: 'xml is not kept; bodies are JSON',
  example: 'example is OpenAPI 3.0; write examples: [ … ]',
  $dynamicRef: '$dynamicRef is not kept; write $ref',
};

const known = new Set([...inner.one, ...inner.list, ...inner.map, ...others, ...Object.keys(refused)]);

/** Walks the schema `start` through its `$ref`s; every keyword the server would not keep goes to `problem`. */
export function checkSchema(
  root: JsonObject,
  start: Json | undefined,
  place: string,
  problem: (text: string) => void,
): void {
  const seen = new Set<Json>();
  const walk = (schema: Json | undefined, at: string): void => {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    const here = (text: string) => problem(`${at}: ${text}`);
    const ref = member(schema, '$ref');
    if (ref !== undefined) {
      const target = typeof ref === 'string' && ref.startsWith('#/') ? resolve(root, { $ref: ref }) : undefined;
      if (target === undefined)
        here(`$ref ${String(ref)} leads nowhere in this document; references to other files are not read`);
      else walk(target, at);
    }
    for (const [keyword, remedy] of Object.entries(refused)) if (member(schema, keyword) !== undefined) here(remedy);
    for (const keyword of Object.keys(schema))
      if (!known.has(keyword)) here(`${keyword} is no keyword that the server keeps; correct or remove it`);
    for (const type of types(schema))
      if (!typeNames.includes(type)) here(`type ${type} is none; known are ${typeNames.join(', ')}`);
    const format = member(schema, 'format');
    if (format !== undefined && !formats.includes(String(format)))
      here(`format ${String(format)} is not checked by the server; known are ${formats.join(', ')}`);
    if (format === 'int32' || format === 'int64') {
      if (!types(schema).includes('integer')) here(`format ${format} goes with type: integer`);
    } else if (formats.includes(String(format)) && !types(schema).includes('string')) {
      here(`format ${String(format)} goes with type: string`);
    }
    if (format === 'int64') {
      for (const keyword of ['enum', 'const', 'multipleOf', 'default'])
        if (member(schema, keyword) !== undefined) here(`${keyword} is not kept for int64; leave out the format`);
      for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
        const bound = member(schema, keyword);
        if (bound !== undefined && !Number.isSafeInteger(bound))
          here(`${keyword} must be an integer within 2^53, which YAML readers hold exactly`);
      }
    }
    for (const keyword of inner.one) walk(member(schema, keyword), `${at} ${keyword}`);
    for (const keyword of inner.list)
      for (const [index, part] of items(member(schema, keyword)).entries()) walk(part, `${at} ${keyword}[${index}]`);
    for (const keyword of inner.map)
      for (const [name, part] of entries(member(schema, keyword))) walk(part, `${at}/${name}`);
  };
  walk(start, place);
}

/**
 * A copy of a schema (or of the whole document) in which `replace` has had its way with every object that is a schema
 * of some type; inner schemas come first.
 */
export function mapTypedSchemas(value: Json, replace: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((part: Json) => mapTypedSchemas(part, replace));
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTypedSchemas(part, replace)]));
  return types(value).length > 0 ? replace(copy) : copy;
}

/** The `type` of a schema as a list. A property that is called "type" is no list of words, and gives none. */
export function types(schema: Json | undefined): readonly string[] {
  const type = member(schema, 'type');
  const list = Array.isArray(type) ? type : [type];
  return list.filter((name): name is string => typeof name === 'string');
}
