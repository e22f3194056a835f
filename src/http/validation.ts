import { isUtf8 } from 'node:buffer';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyRequest } from 'fastify';
import type { Json } from '../contract/document.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { Failure } from '../failure.ts';
import { int64, parseJson } from '../json.ts';

/** A request's input after validation; the types of `Input` by operationId follow from the same document. */
export interface Validated {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Validation of one operation's requests: path and query parameters as strict decimals and texts, the body against its
 * schema. Throws `Failure` 400 whose message names every failing place.
 */
export function buildValidation(
  operation: Operation,
  compile: (pointer: string) => ValidateFunction,
): (request: FastifyRequest) => Validated {
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
  const { min, max } = parameter.int64 ? int64 : { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
  return `an integer from ${min} to ${max}, written as a plain decimal like 5`;
}

/** Ajv's errors as "place what is wrong", without the ones that only say that a branch failed. */
function describe(part: string, errors: readonly ErrorObject[]): string[] {
  const lines = errors.map((error) => {
    const place = part + error.instancePath;
    if (error.keyword === 'required') return `${place}/${String(error.params['missingProperty'])} is required`;
    if (error.keyword === 'enum')
      return `${place} must be one of ${(error.params['allowedValues'] as Json[]).map(String).join(', ')}`;
    if (error.keyword === 'additionalProperties')
      return `${place}/${String(error.params['additionalProperty'])} is not allowed`;
    return `${place} ${error.message ?? 'is not valid'}`;
  });
  return [...new Set(lines)];
}

export function emptyBody(): Failure {
  return new Failure('invalid_request', 'body is empty; send a JSON object');
}

/** The body's bytes as a value. Throws `Failure` 400 for what is no UTF-8, no JSON, or JSON that could do harm. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw emptyBody();
  if (!isUtf8(bytes)) throw new Failure('invalid_request', 'body is not valid UTF-8');
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Failure('invalid_request', `body is not acceptable JSON: ${error.message}`, { cause: error });
  }
}
