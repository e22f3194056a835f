import type { JsonObject, JsonValue } from '../json.ts';
import type { Example } from '../rule.ts';

/** The day on which every example is judged, with 180 days of grace (30 for a beta). */
export const EXAMPLE_DAY = '2026-11-21';

const document = (more: JsonObject): JsonObject => ({
  openapi: '3.1.1',
  info: { title: 'Example', version: '1.0.0' },
  ...more,
});

const things = (item: JsonObject): JsonObject => document({ paths: { '/things': item } });

const ok: JsonObject = { '200': { description: 'Done.' } };

const json = (schema: JsonValue): JsonObject => ({ 'application/json': { schema } });

/** Two schemas, as the body of a request and of its response. */
export const schemas = (older: JsonValue, newer: JsonValue): Example => [echo(older), echo(newer)];

const echo = (schema: JsonValue): JsonObject =>
  things({
    post: {
      operationId: 'echo',
      requestBody: { required: true, content: json(schema) },
      responses: { '200': { description: 'The same.', content: json(schema) } },
    },
  });

/** Two documents that differ at the root. */
export const documents = (older: JsonObject, newer: JsonObject): Example => [
  document({ paths: {}, ...older }),
  document({ paths: {}, ...newer }),
];

/** Two path items of one path. */
export const paths = (older: JsonObject, newer: JsonObject): Example => [things(older), things(newer)];

/** Two operations of one path and method, with a 200 unless they say otherwise. */
export const operations = (older: JsonObject, newer: JsonObject): Example =>
  paths({ get: { responses: ok, ...older } }, { get: { responses: ok, ...newer } });

/** Two lists of parameters of one operation. */
export const parameters = (older: readonly JsonObject[], newer: readonly JsonObject[]): Example =>
  operations({ parameters: older }, { parameters: newer });

/** Two request bodies of one operation; undefined: it has none. */
export const bodies = (older: JsonObject | undefined, newer: JsonObject | undefined): Example => {
  const post = (body: JsonObject | undefined): JsonObject => ({
    post: { responses: ok, ...(body === undefined ? {} : { requestBody: body }) },
  });
  return paths(post(older), post(newer));
};

/** Two sets of responses of one operation. */
export const responses = (older: JsonObject, newer: JsonObject): Example =>
  operations({ responses: older }, { responses: newer });

/** An operation that is gone. */
export const removal = (older: JsonObject): Example => paths({ get: { responses: ok, ...older } }, {});
