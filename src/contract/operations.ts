import { type Access, readAccess } from './access.ts';
import { type Deprecation, readDeprecation } from './deprecation.ts';
import { entries, isObject, items, type Json, type JsonObject, member, pointer, resolve } from './document.ts';
import { checkSchema } from './schema.ts';

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/** A path or query parameter, path-level and operation-level ones merged. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly type: 'integer' | 'string' | 'boolean';
  readonly int64: boolean;
  /** What the server puts where the caller left it out. */
  readonly default: Json | undefined;
  /** Where its schema stands in the document. */
  readonly schema: string;
}

/** One operation as the document promises it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** As in the document, below the base path: `/pets/{petId}`. */
  readonly path: string;
  readonly access: Access;
  readonly deprecation: Deprecation | null;
  /** False where `x-not-implemented: true` says that it has no handler yet, on purpose: it answers 501. */
  readonly implemented: boolean;
  readonly parameters: readonly Parameter[];
  /** Where the schema of the JSON body stands in the document; null without a body. */
  readonly body: string | null;
  /** By status, what each documented response holds. */
  readonly responses: ReadonlyMap<number, Response>;
}

export interface Response {
  /** Where the schema of the JSON body stands in the document; null without a body. */
  readonly schema: string | null;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, { readonly required: boolean; readonly schema: string }>;
}

/** Words that cannot name what generated/handlers.ts imports. */
const reserved =
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function handlers if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  );

/** What every operation can answer, whatever it does; with a body, input or a sunset, more comes to it. */
const always = [401, 408, 429, 431, 500, 503];

const limitHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
  'x-request-id',
];

/** Reads every operation; whatever the server could not keep goes to `problem`, with its place and the remedy. */
export function readOperations(root: JsonObject, problem: (text: string) => void): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  const ids = new Set<string>();
  const found: { id: string; method: Method; path: string; item: JsonObject; value: JsonObject }[] = [];
  const shapes = new Map<string, string>();

  for (const [path, item] of entries(member(root, 'paths'))) {
    if (!isObject(item)) {
      problem(`${path}: a path holds operations by method`);
      continue;
    }
    checkPath(path, (text) => problem(`${path}: ${text}`));
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
    const twin = shapes.get(shape);
    if (twin !== undefined) problem(`${path}: answers the same addresses as ${twin}; keep one of the two`);
    shapes.set(shape, path);
    for (const [key, value] of Object.entries(item)) {
      if (['parameters', 'summary', 'description'].includes(key) || key.startsWith('x-')) continue;
      const method = methods.find((name) => name === key);
      const place = `${key.toUpperCase()} ${path}`;
      if (method === undefined) {
        problem(
          key === '$ref'
            ? `${path}: $ref of a whole path is not read; write the operations here`
            : key === 'head' || key === 'options'
              ? `${place}: is answered by the server itself; remove it`
              : `${place}: is not served; known are ${methods.join(', ')}`,
        );
        continue;
      }
      const id = member(value, 'operationId');
      if (!isObject(value) || typeof id !== 'string') {
        problem(`${place}: needs an operationId; it names the handler's file`);
      } else if (!/^[a-z][A-Za-z0-9]*$/.test(id) || id in Object.prototype || reserved.includes(id)) {
        problem(`${place}: the operationId ${id} cannot name a file and a type; write it in camelCase`);
      } else if (![...ids].every((other) => other === id || other.toLowerCase() !== id.toLowerCase())) {
        problem(
          `${place}: the operationId ${id} differs from another one in its capitals alone; some file systems cannot tell`,
        );
      } else if (ids.has(id)) {
        problem(`${place}: the operationId ${id} is taken by another operation; each needs its own`);
      } else {
        ids.add(id);
        found.push({ id, method, path, item, value });
      }
    }
  }
  if (found.length === 0) problem('paths: there is no operation');

  for (const { id, method, path, item, value } of found) {
    const here = (text: string) => problem(`${id}: ${text}`);
    const stability = member(value, 'x-stability-level');
    if (typeof stability !== 'string' || !['draft', 'alpha', 'beta', 'stable'].includes(stability))
      here('needs x-stability-level: draft, alpha, beta or stable');
    if (member(value, 'callbacks') !== undefined) here('callbacks are not sent by the server; remove them');
    if (member(value, 'servers') !== undefined || member(item, 'servers') !== undefined)
      here('servers of its own are not served; the first entry of the root servers holds for all');
    const deprecation = readDeprecation(value, ids, here);
    const notImplemented = member(value, 'x-not-implemented');
    if (notImplemented !== undefined && notImplemented !== true) here('x-not-implemented is true or left out');
    const implemented = notImplemented !== true;
    const parameters = readParameters(root, path, method, item, value, here);
    const body = readBody(root, path, method, value, here);
    operations.set(id, {
      id,
      method,
      path,
      access: readAccess(root, value, here),
      deprecation,
      implemented,
      parameters,
      body,
      responses: readResponses(
        root,
        path,
        method,
        value,
        here,
        [
          ...always,
          ...(parameters.length > 0 || body !== null ? [400] : []),
          ...(body !== null ? [413, 415] : []),
          ...(deprecation ? [410] : []),
          ...(implemented ? [] : [501]),
        ],
        deprecation !== null,
      ),
    });
  }
  return operations;
}

function checkPath(path: string, problem: (text: string) => void): void {
  if (!path.startsWith('/')) problem('a path begins with a slash');
  if (path.length > 1 && path.endsWith('/')) problem('a trailing slash is another address; remove it');
  if (path.includes('//')) problem('a doubled slash is another address; remove one');
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const name of new Set(names))
    if (names.indexOf(name) !== names.lastIndexOf(name)) problem(`has {${name}} twice; give each its own name`);
  for (const segment of path.split('/').slice(1)) {
    if (/^\{[A-Za-z][A-Za-z0-9_]*\}$/.test(segment)) continue;
    if (segment.includes('{') || segment.includes('}'))
      problem(`the segment ${segment} is not routed; a parameter is a whole segment, its name letters and digits`);
    else if (!/^[A-Za-z0-9._~-]*$/.test(segment))
      problem(`the segment ${segment} holds a character that is not routed`);
  }
}

function readParameters(
  root: JsonObject,
  path: string,
  method: Method,
  item: JsonObject,
  operation: JsonObject,
  problem: (text: string) => void,
): Parameter[] {
  const parameters: Parameter[] = [];
  const seen = new Map<string, string>();
  const sources = [
    { level: 'path', list: items(member(item, 'parameters')), at: ['paths', path, 'parameters'] },
    { level: 'operation', list: items(member(operation, 'parameters')), at: ['paths', path, method, 'parameters'] },
  ];
  for (const { level, list, at } of sources) {
    for (const [index, entry] of list.entries()) {
      const value = resolve(root, entry);
      const name = member(value, 'name');
      const where = member(value, 'in');
      if (typeof name !== 'string' || typeof where !== 'string') {
        problem(`parameter ${index + 1} of the ${level} leads nowhere or has no name and in`);
        continue;
      }
      const here = (text: string) => problem(`parameter ${name}: ${text}`);
      const key = `${where} ${name}`;
      if (seen.has(key)) {
        here(
          seen.get(key) === level
            ? 'is declared twice; keep one'
            : 'is declared at the path and at the operation; keep one, so that nobody has to know which wins',
        );
        continue;
      }
      seen.set(key, level);
      if (where !== 'path' && where !== 'query') {
        here(`in: ${where} is not read by the server; use path or query`);
        continue;
      }
      if (where === 'path' && !path.includes(`{${name}}`)) here(`is not in the path ${path}`);
      if (where === 'path' && member(value, 'required') !== true) here('a path parameter is required: true');
      for (const keyword of ['style', 'explode', 'allowReserved', 'allowEmptyValue', 'content'])
        if (member(value, keyword) !== undefined) here(`${keyword} is not read by the server; leave it out`);
      const rawSchema = member(value, 'schema');
      const schema = resolve(root, rawSchema);
      const type = member(schema, 'type');
      if (type !== 'integer' && type !== 'string' && type !== 'boolean') {
        here('needs a schema of type integer, string or boolean; other types are not read from an address');
        continue;
      }
      const ref = member(entry, '$ref');
      const schemaAt = typeof ref === 'string' ? `${ref}/schema` : pointer(...at, String(index), 'schema');
      checkSchema(root, rawSchema, `parameter ${name}`, problem);
      parameters.push({
        name,
        in: where,
        required: member(value, 'required') === true,
        type,
        int64: member(schema, 'format') === 'int64',
        default: member(rawSchema, 'default') ?? member(schema, 'default'),
        schema: schemaAt,
      });
    }
  }
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g))
    if (!seen.has(`path ${name}`)) problem(`the path has {${name}}, which no parameter declares`);
  return parameters;
}

function readBody(
  root: JsonObject,
  path: string,
  method: Method,
  operation: JsonObject,
  problem: (text: string) => void,
): string | null {
  const entry = member(operation, 'requestBody');
  if (entry === undefined) return null;
  const here = (text: string) => problem(`requestBody: ${text}`);
  if (method === 'get' || method === 'delete') here(`a body of ${method.toUpperCase()} is not read; use parameters`);
  const body = resolve(root, entry);
  if (member(body, 'required') !== true)
    here('must be required: true; whether an optional body is there cannot be told apart from a lost one');
  const content = entries(member(body, 'content'));
  for (const [type] of content)
    if (type !== 'application/json') here(`${type} is not read by the server; only application/json is`);
  const schema = member(member(member(body, 'content'), 'application/json'), 'schema');
  if (schema === undefined) {
    here('needs content.application/json.schema');
    return null;
  }
  if (member(member(member(body, 'content'), 'application/json'), 'encoding') !== undefined)
    here('encoding is for forms; leave it out');
  checkSchema(root, schema, 'requestBody', problem);
  const ref = member(entry, '$ref');
  return typeof ref === 'string'
    ? `${ref}/${pointer('content', 'application/json', 'schema').slice(2)}`
    : pointer('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
}

function readResponses(
  root: JsonObject,
  path: string,
  method: Method,
  operation: JsonObject,
  problem: (text: string) => void,
  expected: readonly number[],
  deprecated: boolean,
): Map<number, Response> {
  const responses = new Map<number, Response>();
  for (const [status, entry] of entries(member(operation, 'responses'))) {
    const here = (text: string) => problem(`response ${status}: ${text}`);
    if (!/^[2-5]\d\d$/.test(status)) {
      here('default and ranges promise nothing that can be checked; name each status');
      continue;
    }
    const response = resolve(root, entry);
    if (!isObject(response)) {
      here('leads nowhere');
      continue;
    }
    if (status === '205' || status === '304') here('has no body and is not sent by the server; use 204 or 200');
    if (status === '204' && member(response, 'content') !== undefined)
      here('has no body, so it has no content; remove it, or answer 200');
    if (member(response, 'links') !== undefined) here('links are not kept by the server; a Link header can be');
    const ref = member(entry, '$ref');
    const at = typeof ref === 'string' ? ref : pointer('paths', path, method, 'responses', status);
    const content = member(response, 'content');
    for (const [type] of entries(content))
      if (type !== 'application/json') here(`${type} is not sent by the server; only application/json is`);
    const schema = member(member(content, 'application/json'), 'schema');
    if (schema !== undefined) checkSchema(root, schema, `response ${status}`, problem);
    if (status >= '400') {
      if (member(schema, '$ref') !== '#/components/schemas/Error')
        here("an error's body is the schema Error; write $ref: '#/components/schemas/Error'");
    } else if (schema === undefined && status !== '204') {
      here('needs content.application/json.schema; only 204 has no body');
    }
    const headers = new Map<string, { required: boolean; schema: string }>();
    for (const [name, headerEntry] of entries(member(response, 'headers'))) {
      const header = resolve(root, headerEntry);
      const headerRef = member(headerEntry, '$ref');
      if (member(header, 'schema') === undefined) here(`header ${name}: needs a schema`);
      else checkSchema(root, member(header, 'schema'), `response ${status} header ${name}`, problem);
      headers.set(name.toLowerCase(), {
        required: member(header, 'required') === true,
        schema: typeof headerRef === 'string' ? `${headerRef}/schema` : `${at}/headers/${name}/schema`,
      });
    }
    const code = Number(status);
    // 408 and 431 end a request before its path is known for sure, so no operation can speak in their headers.
    const lifeCycle = deprecated && code !== 408 && code !== 431;
    for (const name of [
      ...limitHeaders,
      ...(code === 401 ? ['www-authenticate'] : []),
      ...(code === 429 || code === 503 ? ['retry-after'] : []),
      ...(lifeCycle ? ['sunset', 'link'] : []),
      ...(lifeCycle && code !== 410 ? ['deprecation'] : []),
    ])
      if (headers.get(name)?.required !== true)
        here(`must declare the header ${name}, required: true; it is always sent`);
    if (code === 410 && headers.has('deprecation')) here('must not declare Deprecation; what is removed is past that');
    responses.set(code, {
      schema: schema === undefined ? null : `${at}/${pointer('content', 'application/json', 'schema').slice(2)}`,
      headers,
    });
  }
  for (const status of expected)
    if (!responses.has(status)) problem(`does not document ${status}, which it can answer; add the response`);
  if (![...responses.keys()].some((status) => status < 400)) problem('documents no success');
  return responses;
}
