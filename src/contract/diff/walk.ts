import type { ApiDocument } from './document.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { asList, asObject, asText, isObject, isText } from './json.ts';
import type { Pair } from './rule.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

/** Who calls: the consumer (an operation under `paths`), or the service (a webhook, a callback). */
export type Caller = 'consumer' | 'service';

/** One operation with all that holds for it, wherever the document says it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  /** `GET /pets (listPets)` */
  readonly label: string;
  readonly node: JsonObject;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly body: Body | undefined;
  readonly responses: ReadonlyMap<string, Response>;
  readonly security: readonly Alternative[];
  /** Where the operation or its path has servers of its own. */
  readonly servers: readonly Server[] | undefined;
  readonly callbacks: readonly Operation[];
}

export interface Parameter {
  readonly name: string;
  readonly location: string;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly node: JsonObject;
  readonly schema: JsonValue | undefined;
  /** A parameter that is a whole document, in this media type. */
  readonly media: string | undefined;
}

export interface Body {
  readonly required: boolean;
  readonly content: Content;
}

export interface Response {
  readonly status: string;
  readonly headers: ReadonlyMap<string, Header>;
  readonly content: Content;
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly explode: boolean;
  readonly schema: JsonValue | undefined;
}

/** By media type. */
export type Content = ReadonlyMap<string, MediaType>;

export interface MediaType {
  readonly name: string;
  readonly schema: JsonValue | undefined;
  readonly encoding: JsonValue | undefined;
}

/** One way to be let in: every scheme at once. None: no key is asked for. */
export interface Alternative {
  /** By what the schemes are, not by what they are called. */
  readonly schemes: ReadonlyMap<string, Scheme>;
  /** As the document says it. */
  readonly node: JsonValue;
}

export interface Scheme {
  readonly scopes: readonly string[];
  /** Where to log in: `clientCredentials https://…`. */
  readonly logins: readonly string[];
}

export interface Server {
  readonly url: string;
  readonly basePath: string;
}

/** Every operation that a consumer can call or must answer. */
export function operationsOf(document: ApiDocument): Operation[] {
  return [
    ...operationsIn(document, asObject(document.root.paths), 'consumer', ''),
    ...operationsIn(document, asObject(document.root.webhooks), 'service', 'webhook '),
  ];
}

function operationsIn(document: ApiDocument, paths: JsonObject, caller: Caller, prefix: string): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    if (path.startsWith('x-')) return [];
    const pathItem = document.object(item);
    return METHODS.flatMap((method) => {
      const node = pathItem[method];
      return isObject(node) ? [operation(document, { method, path, caller, prefix, pathItem, node })] : [];
    });
  });
}

interface Position {
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly prefix: string;
  readonly pathItem: JsonObject;
  readonly node: JsonObject;
}

function operation(document: ApiDocument, { method, path, caller, prefix, pathItem, node }: Position): Operation {
  const id = asText(node.operationId);
  const label = `${prefix}${method.toUpperCase()} ${path}${id === undefined ? '' : ` (${id})`}`;
  const servers = node.servers ?? pathItem.servers;
  return {
    method,
    path,
    caller,
    label,
    node,
    parameters: parametersOf(document, path, [...asList(pathItem.parameters), ...asList(node.parameters)]),
    body: node.requestBody === undefined ? undefined : body(document, node.requestBody),
    responses: new Map(
      Object.entries(asObject(node.responses))
        .filter(([status]) => !status.startsWith('x-'))
        .map(([status, response]) => [status.toUpperCase(), responseOf(document, status.toUpperCase(), response)]),
    ),
    // The root speaks of calls to this API, not of those that it makes.
    security: securityOf(document, node.security ?? (caller === 'consumer' ? document.root.security : undefined)),
    servers: servers === undefined ? undefined : serversIn(servers),
    callbacks: callbacksOf(document, node, caller, label),
  };
}

/** Whom a callback calls is the other side of its operation. */
function callbacksOf(document: ApiDocument, node: JsonObject, caller: Caller, label: string): Operation[] {
  const other = caller === 'consumer' ? 'service' : 'consumer';
  return Object.entries(asObject(node.callbacks)).flatMap(([name, callback]) =>
    operationsIn(document, document.object(callback), other, `${label} callback ${name} `),
  );
}

/** Those of the operation count more than those of the path. A path parameter goes by its position, not its name. */
function parametersOf(
  document: ApiDocument,
  path: string,
  nodes: readonly JsonValue[],
): ReadonlyMap<string, Parameter> {
  const places = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  const parameters = new Map<string, Parameter>();
  for (const node of nodes) {
    const parameter = parameterOf(document.object(node));
    if (parameter === undefined || isIgnoredHeader(parameter)) continue;
    const { location, name } = parameter;
    const place = location === 'path' ? places.indexOf(name) : -1;
    const key = place >= 0 ? String(place) : location === 'header' ? name.toLowerCase() : name;
    parameters.set(`${location} ${key}`, parameter);
  }
  return parameters;
}

function parameterOf(node: JsonObject): Parameter | undefined {
  const { name, in: location } = node;
  if (!isText(name) || !isText(location)) return undefined;
  const style = asText(node.style) ?? (location === 'path' || location === 'header' ? 'simple' : 'form');
  const [media] = Object.entries(asObject(node.content));
  return {
    name,
    location,
    required: location === 'path' || node.required === true,
    style,
    explode: typeof node.explode === 'boolean' ? node.explode : style === 'form',
    node,
    schema: media === undefined ? node.schema : asObject(media[1]).schema,
    media: media?.[0],
  };
}

/** OpenAPI: a parameter of these names is ignored; the media types and the security say them. */
const isIgnoredHeader = ({ location, name }: Parameter): boolean =>
  location === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase());

function body(document: ApiDocument, node: JsonValue): Body {
  const resolved = document.object(node);
  return { required: resolved.required === true, content: contentOf(document, resolved) };
}

function responseOf(document: ApiDocument, status: string, node: JsonValue): Response {
  const resolved = document.object(node);
  const headers = Object.entries(asObject(resolved.headers))
    // OpenAPI: ignored, the media type says it.
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]): [string, Header] => [name.toLowerCase(), headerOf(document, name, header)]);
  return { status, headers: new Map(headers), content: contentOf(document, resolved) };
}

function headerOf(document: ApiDocument, name: string, node: JsonValue): Header {
  const resolved = document.object(node);
  const [media] = Object.values(asObject(resolved.content));
  return {
    name,
    required: resolved.required === true,
    explode: resolved.explode === true,
    schema: media === undefined ? resolved.schema : asObject(media).schema,
  };
}

function contentOf(document: ApiDocument, node: JsonObject): Content {
  return new Map(
    Object.entries(asObject(node.content)).map(([name, media]) => {
      const { schema, encoding } = document.object(media);
      return [name.toLowerCase().replaceAll(' ', ''), { name, schema, encoding }];
    }),
  );
}

function securityOf(document: ApiDocument, requirements: JsonValue | undefined): Alternative[] {
  const alternatives = asList(requirements).map((node) => ({
    node,
    schemes: new Map(
      Object.entries(asObject(node)).map(([name, scopes]) => {
        const scheme = schemeNamed(document, name);
        return [identity(scheme, name), { scopes: asList(scopes).filter(isText), logins: loginsOf(scheme) }];
      }),
    ),
  }));
  return alternatives.length > 0 ? alternatives : [{ node: {}, schemes: new Map() }];
}

function schemeNamed(document: ApiDocument, name: string): JsonObject {
  return document.object(asObject(asObject(document.root.components).securitySchemes)[name]);
}

/** What a consumer must show. The component's name is none of its business, unless there is no component. */
function identity({ type, in: location, name: key, scheme }: JsonObject, name: string): string {
  if (type === undefined) return name;
  // Names of schemes and of headers are case-insensitive.
  const word = (value: JsonValue | undefined): JsonValue => (isText(value) ? value.toLowerCase() : null);
  return JSON.stringify([type, location ?? null, location === 'header' ? word(key) : (key ?? null), word(scheme)]);
}

function loginsOf({ flows, openIdConnectUrl }: JsonObject): string[] {
  const logins = Object.entries(asObject(flows)).flatMap(([flow, node]) => {
    const { authorizationUrl, tokenUrl } = asObject(node);
    return [`${flow} ${[authorizationUrl, tokenUrl].filter(isText).join(' ')}`];
  });
  return isText(openIdConnectUrl) ? [...logins, `openIdConnect ${openIdConnectUrl}`] : logins;
}

/** The servers of a document; without any it is served where it was found. */
export const serversOf = (document: ApiDocument): readonly Server[] => serversIn(document.root.servers);

function serversIn(node: JsonValue | undefined): readonly Server[] {
  const servers = asList(node).map(server);
  return servers.length > 0 ? servers : [server({ url: '/' })];
}

function server(node: JsonValue): Server {
  const { url, variables } = asObject(node);
  const filled = (asText(url) ?? '/').replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    const value = asObject(asObject(variables)[name]).default;
    return isText(value) ? value : '';
  });
  return { url: filled.replace(/\/+$/, ''), basePath: basePath(filled) };
}

/** A server's address may be relative to the document's. */
function basePath(url: string): string {
  const path = URL.canParse(url, 'http://relative.invalid') ? new URL(url, 'http://relative.invalid').pathname : url;
  return path.replace(/\/+$/, '');
}

/** What is in both, what is gone, and what is new. */
export interface Alignment<T> {
  readonly both: readonly Pair<T>[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

export function align<T>(older: ReadonlyMap<string, T>, newer: ReadonlyMap<string, T>): Alignment<T> {
  const both: Pair<T>[] = [];
  const removed: T[] = [];
  for (const [key, one] of older) {
    const other = newer.get(key);
    if (other === undefined) removed.push(one);
    else both.push({ older: one, newer: other });
  }
  const added = [...newer].flatMap(([key, other]) => (older.has(key) ? [] : [other]));
  return { both, removed, added };
}

/**
 * What the first rule leaves over is tried by a looser one: it says for a leftover what on the other side stands for
 * it. A thing may stand for several.
 */
function alignLeftovers<T>(
  alignment: Alignment<T>,
  all: Pair<readonly T[]>,
  standsFor: (general: T, special: T) => boolean,
): Alignment<T> {
  const both = [...alignment.both];
  const covered = new Set<T>();
  for (const older of alignment.removed) {
    const newer = all.newer.find((candidate) => standsFor(candidate, older));
    if (newer === undefined) continue;
    both.push({ older, newer });
    covered.add(older).add(newer);
  }
  for (const newer of alignment.added) {
    const older = all.older.find((candidate) => standsFor(candidate, newer));
    if (older === undefined || covered.has(newer)) continue;
    both.push({ older, newer });
    covered.add(older).add(newer);
  }
  return {
    both,
    removed: alignment.removed.filter((one) => !covered.has(one)),
    added: alignment.added.filter((one) => !covered.has(one)),
  };
}

/** Operations by path and method; a path whose parameters are called otherwise is the same path. */
export const alignOperations = (older: readonly Operation[], newer: readonly Operation[]): Alignment<Operation> =>
  alignBy(
    alignBy({ both: [], removed: older, added: newer }, ({ caller, method, path }) => `${caller} ${method} ${path}`),
    ({ caller, method, path }) => `${caller} ${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
  );

/** Aligns what is left over by another key. A key that occurs twice goes by its turn, so that nothing is lost. */
function alignBy<T>(alignment: Alignment<T>, key: (item: T) => string): Alignment<T> {
  const keyed = (items: readonly T[]): ReadonlyMap<string, T> => {
    const turns = new Map<string, number>();
    return new Map(
      items.map((item) => {
        const turn = (turns.get(key(item)) ?? 0) + 1;
        turns.set(key(item), turn);
        return [`${key(item)} ${turn}`, item];
      }),
    );
  };
  const { both, removed, added } = align(keyed(alignment.removed), keyed(alignment.added));
  return { both: [...alignment.both, ...both], removed, added };
}

/** Statuses by themselves, then by the range (`4XX`) or `default` that stands for them. */
export function alignResponses(older: Operation, newer: Operation): Alignment<Response> {
  return alignLeftovers(
    align(older.responses, newer.responses),
    { older: [...older.responses.values()], newer: [...newer.responses.values()] },
    (general, special) =>
      // Generated clients take `default` for the error of an operation, so it stands for no success.
      general.status === 'DEFAULT'
        ? isErrorStatus(special.status)
        : isStatusRange(general.status) && general.status[0] === special.status[0],
  );
}

export const isStatusRange = (status: string): boolean => /^\dXX$/.test(status);

export const isErrorStatus = (status: string): boolean => /^[45]/.test(status);

export const isSuccessStatus = (status: string): boolean => status.startsWith('2');

/** Media types by name, then without their parameters, then by the range that stands for them. */
export const alignContent = (older: Content, newer: Content): Alignment<MediaType> =>
  alignLeftovers(
    alignBy(align(older, newer), essence),
    { older: [...older.values()], newer: [...newer.values()] },
    isRangeOf,
  );

const essence = ({ name }: MediaType): string => (name.split(';')[0] ?? '').trim().toLowerCase();

export const isRange = (media: MediaType): boolean => essence(media).includes('*');

function isRangeOf(range: MediaType, media: MediaType): boolean {
  if (!isRange(range) || isRange(media)) return false;
  return essence(range) === '*/*' || essence(range).split('/')[0] === essence(media).split('/')[0];
}
