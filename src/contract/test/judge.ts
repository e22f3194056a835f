import { parseJson } from '../../json.ts';
import { compileSchemas } from '../compile.ts';
import type { Contract } from '../contract.ts';
import { at, entries, isObject, items, type Json, member, resolve } from '../document.ts';
import type { Operation } from '../operations.ts';
import { types } from '../schema.ts';

/** A reply as it came over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One place where a reply and the document differ. */
export interface Problem {
  readonly found: string;
  /** What the document says there. */
  readonly document: string;
}

export interface Verdict {
  readonly problems: readonly Problem[];
  /** The reply's JSON, in which an int64 is an exact bigint; undefined where there is none. */
  readonly body: unknown;
}

export interface Judge {
  /** The operation that answers `method` at `target`; null where there is none. HEAD is answered by that of GET. */
  operationOf(method: string, target: string): Operation | null;
  /** What a path that the document has answers to OPTIONS, and to a method that it does not have; null for other paths. */
  allowed(target: string): readonly string[] | null;
  /** Holds a reply against the document as a whole: status, media type, body and headers, and nothing besides. */
  judge(method: string, target: string, reply: Reply): Verdict;
}

/** Headers that HTTP itself, or CORS, puts on a response; all others must be in the document. */
const standard = [
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'vary',
  'allow',
  'transfer-encoding',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
];

/** What a front door between caller and server may add (RFC 9110, 7.6.3 and 10.2.4; RFC 9111; RFC 7838; RFC 6797). */
const ofFrontDoors = ['server', 'via', 'age', 'cache-control', 'alt-svc', 'strict-transport-security'];

type DocumentedHeaders = ReadonlyMap<string, { readonly required: boolean; readonly schema: string }>;

/**
 * A judge for the replies of any server of `contract`. `frontDoor`: there may be one in between, which adds headers of
 * its own, and to which `Connection` belongs (RFC 9110, 7.6.1).
 */
export function buildJudge(contract: Contract, { frontDoor = false }: { frontDoor?: boolean } = {}): Judge {
  const undeclared = frontDoor ? [...standard, ...ofFrontDoors] : standard;
  const {
    basePath,
    document: { root },
  } = contract;
  const compile = compileSchemas(contract, { defaults: false });
  const compiled = new Map<string, ReturnType<typeof compile>>();
  /** What is wrong with `value`, a line each. */
  const validate = (pointer: string, value: unknown): string[] => {
    const validator = compiled.get(pointer) ?? compile(pointer);
    compiled.set(pointer, validator);
    if (validator(value)) return [];
    return (validator.errors ?? []).map(({ instancePath, keyword, message, params }) => {
      const extra: unknown = params['additionalProperty'];
      return `${instancePath === '' ? 'it' : instancePath} ${message ?? `breaks ${keyword}`}${extra === undefined ? '' : `: ${String(extra)}`}`;
    });
  };

  const operations = [...contract.operations.values()];
  const common = commonHeaders(operations);
  const statusesOf = codesOf(contract);
  // A path that names a segment goes before one that leaves it open, as in the server.
  const routes = [...new Set(operations.map(({ path }) => path))]
    .sort((a, b) => (a.replaceAll('{', '\uffff') < b.replaceAll('{', '\uffff') ? -1 : 1))
    .map((path) => ({
      pattern: new RegExp(`^${basePath}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      own: operations.filter((operation) => operation.path === path),
    }));
  // As it stands: URL would resolve /pets/.. before it is looked up.
  const pathOf = (target: string) => target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const routeOf = (target: string) => routes.find(({ pattern }) => pattern.test(pathOf(target)));
  const isOurs = (target: string) => `${pathOf(target)}/`.startsWith(`${basePath}/`);

  const operationOf: Judge['operationOf'] = (method, target) =>
    routeOf(target)?.own.find((one) => one.method === (method === 'HEAD' ? 'get' : method.toLowerCase())) ?? null;
  const allowed: Judge['allowed'] = (target) => {
    const own = routeOf(target)?.own.map(({ method }) => method.toUpperCase());
    return own === undefined ? null : [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  };

  function ofHeaders(headers: Headers, documented: DocumentedHeaders, place: string): Problem[] {
    const problems: Problem[] = [];
    for (const [name, { required, schema }] of documented) {
      if (frontDoor && name === 'connection') continue;
      const value = headers.get(name);
      if (value === null) {
        if (required) problems.push({ found: `the header ${name} is missing`, document: `${place} requires it` });
        continue;
      }
      for (const line of validate(schema, headerValue(resolve(root, at(root, schema)), value)))
        problems.push({ found: `the header ${name}: ${value}: ${line}`, document: `its schema is ${schema}` });
    }
    for (const name of headers.keys())
      if (!documented.has(name) && !undeclared.includes(name))
        problems.push({
          found: `the header ${name} is undocumented`,
          document: `${place} has ${[...documented.keys()].join(', ')}`,
        });
    return problems;
  }

  /** What follows from the status alone, wherever it is answered. */
  function ofStatus(method: string, target: string, { status, headers, text }: Reply): Problem[] {
    const problems: Problem[] = [];
    const all = allowed(target);
    if (status === 405 || (method === 'OPTIONS' && status === 204 && all !== null)) {
      const allow = headers.get('allow');
      if (allow === null)
        problems.push({
          found: `a ${status} without Allow`,
          document: 'a 405, and the answer to OPTIONS, say which methods there are',
        });
      else if (all !== null && sorted(allow.split(/\s*,\s*/)) !== sorted(all))
        problems.push({ found: `Allow: ${allow}`, document: `the path has ${all.join(', ')}` });
    }
    if ((method === 'HEAD' || status === 204) && text !== '')
      problems.push({ found: `a body of ${text.length} characters`, document: 'neither HEAD nor 204 has a body' });
    return problems;
  }

  function ofError({ status }: Reply, body: unknown): Problem[] {
    const document = 'every error is the schema Error: exactly code, message and status';
    if (!isRecord(body) || sorted(Object.keys(body)) !== 'code, message, status')
      return [
        { found: `an error with ${isRecord(body) ? Object.keys(body).join(', ') : 'no object'} in its body`, document },
      ];
    const { code } = body;
    if (body['status'] !== status)
      return [
        {
          found: `an error whose body says status ${String(body['status'])}`,
          document: `it is the HTTP status, here ${status}`,
        },
      ];
    if (!contract.errorCodes.some((known) => known === code))
      return [
        {
          found: `the error code ${String(code)}`,
          document: `x-extensible-enum has ${contract.errorCodes.join(', ')}`,
        },
      ];
    const statuses = statusesOf.get(String(code));
    return statuses === undefined || statuses.has(status)
      ? []
      : [
          {
            found: `the error code ${String(code)} with ${status}`,
            document: `its examples go with ${[...statuses].join(', ')}`,
          },
        ];
  }

  function readBody({ headers, text }: Reply): { value: unknown; problems: Problem[] } {
    const type = headers.get('content-type');
    const problems = /^application\/json\s*(;\s*charset="?utf-8"?)?$/i.test(type ?? '')
      ? []
      : [
          {
            found: type === null ? 'no Content-Type' : `Content-Type: ${type}`,
            document: 'bodies are application/json',
          },
        ];
    try {
      return { value: parseJson(text), problems };
    } catch (error) {
      return {
        value: undefined,
        problems: [
          ...problems,
          { found: `a body that is no JSON: ${String(error)}`, document: 'bodies are application/json' },
        ],
      };
    }
  }

  const judge: Judge['judge'] = (method, target, reply) => {
    const problems: Problem[] = ofStatus(method, target, reply);
    const operation = operationOf(method, target);
    const documented = operation?.responses.get(reply.status);
    const bare = method === 'HEAD';
    let body: unknown;
    if (operation !== null && documented === undefined)
      problems.push({
        found: `status ${reply.status}`,
        document: `${operation.id} answers ${[...operation.responses.keys()].join(', ')}`,
      });

    const schema =
      documented === undefined ? (reply.status >= 400 ? '#/components/schemas/Error' : null) : documented.schema;
    if (!bare && schema !== null) {
      const { value, problems: unread } = readBody(reply);
      problems.push(...unread);
      if (value !== undefined) {
        problems.push(
          ...validate(schema, value).map((line) => ({
            found: `the body: ${line}`,
            document: `its schema is ${schema}`,
          })),
        );
        problems.push(
          ...undocumented(contract, at(root, schema), value).map((place) => ({
            found: `the body has ${place}, which is undocumented`,
            document: `its schema is ${schema}`,
          })),
        );
        if (reply.status >= 400) problems.push(...ofError(reply, value));
        body = value;
      }
    } else if (!bare && documented !== undefined && reply.text !== '')
      problems.push({ found: `a body of ${reply.text.length} characters`, document: `${reply.status} has no body` });

    if (documented !== undefined && operation !== null) {
      const mock = operation.implemented
        ? []
        : [['x-mock', { required: false, schema: '#/components/schemas/Error/properties/message' }] as const];
      problems.push(
        ...ofHeaders(reply.headers, new Map([...documented.headers, ...mock]), `${operation.id} ${reply.status}`),
      );
      problems.push(...ofDeprecation(contract, operation, documented.headers, reply.headers));
    } else if (isOurs(target)) {
      // No operation answers here; those that document this status say what goes with it.
      const example = operations
        .find((one) => one.deprecation === null && one.responses.has(reply.status))
        ?.responses.get(reply.status);
      problems.push(
        ...ofHeaders(
          reply.headers,
          operation === null ? (example?.headers ?? common) : common,
          `${reply.status} under ${basePath}`,
        ),
      );
    }
    return { problems, body };
  };

  return { operationOf, allowed, judge };
}

/** What every response of every operation requires, and so every reply under the base path. */
function commonHeaders(operations: readonly Operation[]): DocumentedHeaders {
  const all = operations.flatMap(({ responses }) => [...responses.values()].map(({ headers }) => headers));
  return new Map(
    [...(all[0] ?? [])].filter(
      ([name, { required }]) => required && all.every((headers) => headers.get(name)?.required),
    ),
  );
}

/** By error code, the statuses that the examples show it with. */
function codesOf({ document: { root }, operations }: Contract): ReadonlyMap<string, ReadonlySet<number>> {
  const statuses = new Map<string, Set<number>>();
  for (const { responses } of operations.values())
    for (const [status, { schema }] of responses) {
      if (status < 400 || schema === null) continue;
      const content = at(root, schema.slice(0, schema.lastIndexOf('/')));
      for (const [, example] of entries(member(content, 'examples'))) {
        const code = member(member(resolve(root, example), 'value'), 'code');
        if (typeof code === 'string') statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
      }
    }
  return statuses;
}

/** The life cycle headers of a deprecated operation say what the document says, to the second. */
function ofDeprecation(
  contract: Contract,
  { id, deprecation }: Operation,
  documented: DocumentedHeaders,
  headers: Headers,
): Problem[] {
  if (deprecation === null) return [];
  const successor = `<${contract.basePath}${contract.operations.get(deprecation.replacedBy)?.path}>; rel="successor-version"`;
  const expected = {
    deprecation: `@${deprecation.since}`,
    sunset: new Date(deprecation.sunset * 1000).toUTCString(),
    link: successor,
  };
  return Object.entries(expected).flatMap(([name, value]) => {
    const given = headers.get(name);
    // That it is missing has been said.
    if (given === null || !documented.has(name) || given.includes(value)) return [];
    return [
      { found: `the header ${name}: ${given}`, document: `${id} is deprecated as the document dates it: ${value}` },
    ];
  });
}

/** A header's text as the value that its schema speaks of. */
function headerValue(schema: Json | undefined, text: string): unknown {
  const own = types(schema);
  if (own.includes('integer') && /^-?\d+$/.test(text))
    return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  if (own.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** The members of `value` that no schema names, where the schema names any. */
function undocumented({ document: { root } }: Contract, schema: Json | undefined, value: unknown): string[] {
  const look = (schemas: readonly Json[], part: unknown, place: string): string[] => {
    const gathered = gather(schemas);
    if (Array.isArray(part)) {
      // Array.isArray gives any[].
      return part.flatMap((item: unknown, index) => look(gathered.items, item, `${place}/${index}`));
    }
    if (!isRecord(part)) return [];
    return Object.entries(part).flatMap(([name, inner]) => {
      const named = gathered.properties.get(name);
      if (named === undefined) return gathered.open || gathered.properties.size === 0 ? [] : [`${place}/${name}`];
      return look(named, inner, `${place}/${name}`);
    });
  };
  const gather = (schemas: readonly Json[]) => {
    const properties = new Map<string, Json[]>();
    const inItems: Json[] = [];
    const seen = new Set<Json>();
    let open = false;
    const visit = (one: Json | undefined): void => {
      if (!isObject(one) || seen.has(one)) return;
      seen.add(one);
      const ref = member(one, '$ref');
      if (typeof ref === 'string') visit(at(root, ref));
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) for (const part of items(member(one, keyword))) visit(part);
      for (const keyword of ['then', 'else']) visit(member(one, keyword));
      for (const [, part] of entries(member(one, 'dependentSchemas'))) visit(part);
      for (const [name, property] of entries(member(one, 'properties')))
        properties.set(name, [...(properties.get(name) ?? []), property]);
      for (const keyword of ['additionalProperties', 'unevaluatedProperties', 'patternProperties'])
        if (![undefined, false].includes(member(one, keyword) as undefined | false)) open = true; // any value is looked for, not only these
      const own = member(one, 'items');
      if (own !== undefined) inItems.push(own);
      inItems.push(...items(member(one, 'prefixItems')));
    };
    for (const one of schemas) visit(one);
    return { properties, items: inItems, open };
  };
  return schema === undefined ? [] : look([schema], value, '');
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(names: readonly string[]): string {
  return [...names].sort().join(', ');
}
