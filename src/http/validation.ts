import { isUtf8 } from 'node:buffer';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyRequest } from 'fastify';
import type { Contract } from '../contract/contract.ts';
import type { Json, JsonObject } from '../contract/document.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { mapTypedSchemas, types } from '../contract/schema.ts';
import { Failure } from '../failure.ts';
import { exactInteger, int64, parseJson } from '../json.ts';

/** A request's input after validation; the types of `Input` by operationId follow from the same document. */
export interface Validated {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * An Ajv (JSON Schema 2020-12, strict) that holds the document's schemas under the key `openapi`. An int64 is taken
 * exactly and becomes a bigint, a string must be one that PostgreSQL and UTF-8 hold unchanged, nothing is coerced.
 */
export function compileSchemas(contract: Contract): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    useDefaults: true,
    allowUnionTypes: true,
    // The document says "required" and "properties" in different branches of a schema where that reads best.
    strictRequired: false,
    addUsedSchema: false,
  });
  addFormats.default(ajv, ['date-time', 'date', 'time', 'duration', 'uuid', 'email', 'uri', 'hostname', 'ipv4', 'ipv6']);
  ajv.addFormat('int32', { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 });
  ajv.addVocabulary(['x-extensible-enum', 'externalDocs']);
  ajv.addKeyword({
    keyword: 'int64',
    modifying: true,
    schemaType: 'object',
    errors: true,
    compile: (bounds: { minimum?: number; maximum?: number; exclusiveMinimum?: number; exclusiveMaximum?: number }) => {
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
      const check = (data: unknown, context?: { parentData: object; parentDataProperty: string | number }): boolean => {
        // A second look, through another branch of allOf or anyOf, finds the bigint of the first one.
        const value =
          typeof data === 'bigint'
            ? data
            : typeof data === 'number' && context !== undefined
              ? exactInteger(context.parentData, String(context.parentDataProperty), data)
              : null;
        const low = minimum ?? (exclusiveMinimum === undefined ? int64.min : BigInt(exclusiveMinimum) + 1n);
        const high = maximum ?? (exclusiveMaximum === undefined ? int64.max : BigInt(exclusiveMaximum) - 1n);
        if (value === null || value < low || value > high) {
          Object.assign(check, { errors: [{ keyword: 'int64', message: `must be an integer from ${low} to ${high}`, params: {} }] });
          return false;
        }
        if (typeof data === 'number' && context !== undefined) Reflect.set(context.parentData, context.parentDataProperty, value);
        return true;
      };
      return check;
    },
  });
  ajv.addKeyword({
    keyword: 'storable',
    type: 'string',
    schemaType: 'boolean',
    error: { message: 'must not contain U+0000 or half of a surrogate pair' },
    validate: (_: boolean, text: string) => !text.includes('\0') && text.isWellFormed(),
  });

  // Ajv takes the whole document for a schema, of which it compiles what the pointers lead to; at its root stand only
  // annotations.
  ajv.addVocabulary(Object.keys(contract.document.root));
  ajv.addSchema(mapTypedSchemas(contract.document.root, withExactTypes) as Record<string, unknown>, 'openapi', undefined, false);
  return (pointer) => ajv.compile({ $ref: `openapi${pointer}` });
}

/** `format: int64` as our keyword, which needs the exact value and so goes before `type`; and every string storable. */
function withExactTypes(schema: JsonObject): JsonObject {
  if (schema['format'] === 'int64') {
    const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
    const bounds = Object.entries({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }).filter(([, bound]) => bound !== undefined);
    const exact = { int64: Object.fromEntries(bounds) as JsonObject };
    const others = types(schema).filter((name) => name !== 'integer');
    return others.length === 0 ? { ...rest, ...exact } : { ...rest, anyOf: [exact, { type: others }] };
  }
  return types(schema).includes('string') && schema['enum'] === undefined ? { ...schema, storable: true } : schema;
}

/**
 * Validation of one operation's requests: path and query parameters as strict decimals and texts, the body against its
 * schema. Throws `Failure` 400 whose message names every failing place.
 */
export function buildValidation(operation: Operation, compile: (pointer: string) => ValidateFunction): (request: FastifyRequest) => Validated {
  const parameters = operation.parameters.map((parameter) => ({ parameter, validate: compile(parameter.schema) }));
  const path = parameters.filter(({ parameter }) => parameter.in === 'path');
  const query = parameters.filter(({ parameter }) => parameter.in === 'query');
  const body = operation.body === null ? null : compile(operation.body);

  return (request) => {
    const problems: string[] = [];
    // find-my-way and fast-querystring give texts, or a list where a query parameter is repeated.
    const params = readAll(path, request.params as Readonly<Record<string, unknown>>, problems);
    const queries = readAll(query, request.query as Readonly<Record<string, unknown>>, problems);
    if (body !== null && !body(request.body)) problems.push(...describe('body', body.errors ?? []));
    if (problems.length > 0) throw new Failure('invalid_request', problems.join('; '));
    return { params, query: queries, body: request.body };
  };
}

function readAll(
  readers: readonly { parameter: Parameter; validate: ValidateFunction }[],
  given: Readonly<Record<string, unknown>>,
  problems: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { parameter, validate } of readers) {
    const { name } = parameter;
    const place = `${parameter.in}/${name}`;
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    if (raw === undefined) {
      if (parameter.default !== undefined) values[name] = parameter.default;
      else if (parameter.required) problems.push(`${place} is required`);
      continue;
    }
    if (typeof raw !== 'string') {
      problems.push(`${place} must be given once`);
      continue;
    }
    const value = readText(parameter, raw);
    if (value === null) {
      problems.push(`${place} must be ${parameter.type === 'boolean' ? 'true or false' : expectation(parameter)}`);
      continue;
    }
    if (validate(value)) values[name] = value;
    else problems.push(...describe(place, validate.errors ?? []));
  }
  return values;
}

const decimal = /^(?:0|-?[1-9][0-9]*)$/;

/** A parameter's text as its value: integers as decimals in their shortest form. Null where it is none. */
function readText(parameter: Parameter, raw: string): string | bigint | number | boolean | null {
  if (parameter.type === 'string') return raw;
  if (parameter.type === 'boolean') return raw === 'true' ? true : raw === 'false' ? false : null;
  // No int64 has more than 19 digits; longer texts would only cost time.
  if (!decimal.test(raw) || raw.length > 20) return null;
  if (!parameter.int64) return Number.isSafeInteger(Number(raw)) ? Number(raw) : null;
  const value = BigInt(raw);
  return value >= int64.min && value <= int64.max ? value : null;
}

function expectation(parameter: Parameter): string {
  const range = parameter.int64 ? ` from ${int64.min} to ${int64.max}` : '';
  return `an integer${range}, written as a plain decimal like 5`;
}

/** Ajv's errors as "place what is wrong", without the ones that only say that a branch failed. */
function describe(part: string, errors: readonly ErrorObject[]): string[] {
  const lines = errors.map((error) => {
    const place = part + error.instancePath;
    if (error.keyword === 'required') return `${place}/${String(error.params['missingProperty'])} is required`;
    if (error.keyword === 'enum') return `${place} must be one of ${(error.params['allowedValues'] as Json[]).map(String).join(', ')}`;
    if (error.keyword === 'additionalProperties') return `${place}/${String(error.params['additionalProperty'])} is not allowed`;
    return `${place} ${error.message ?? 'is not valid'}`;
  });
  return [...new Set(lines)];
}

/** The body's bytes as a value. Throws `Failure` 400 for what is no UTF-8, no JSON, or JSON that could do harm. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Failure('invalid_request', 'body is empty; send a JSON object');
  if (!isUtf8(bytes)) throw new Failure('invalid_request', 'body is not valid UTF-8');
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Failure('invalid_request', `body is not acceptable JSON: ${error.message}`, { cause: error });
  }
}
