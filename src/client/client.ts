import createHttp, { type Client as Http } from 'openapi-fetch';
import { contract, type OperationContract } from '../../generated/contract.js';
import type { components, paths } from '../../generated/openapi.d.ts';
import { type Deprecation, readDeprecation } from './deprecation.ts';
import { parseJson, printJson } from './json.ts';
import { linkTarget } from './links.ts';
import type { Call, CallOptions, Documented, OperationId, PagedId, Walk } from './operation.ts';
import { UnexpectedReply, unwrap } from './reply.ts';
import { defaultRetry, type Fetch, type RetryPolicy, send } from './retry.ts';

export type { Deprecation } from './deprecation.ts';
export type { CallOptions, Input, OperationId, Reply } from './operation.ts';
export { ApiError, UnexpectedReply, unwrap } from './reply.ts';
export type { Fetch, RetryPolicy } from './retry.ts';

const operations: Readonly<Record<OperationId, OperationContract>> = contract.operations;
const ids = Object.keys(operations) as OperationId[]; // the printed table has no other keys

/** The document's schemas: `Schemas['Pet']`. */
export type Schemas = components['schemas'];

/** Names the exact document that this client was printed from. */
export const contractHash: string = contract.hash;

export interface ClientOptions {
  /** Where the service lives, absolute: `https://api.animal-store.example`. */
  readonly baseUrl: string;
  /** The API key. It is sent to the origin of `baseUrl` and nowhere else; redirects are not followed. */
  readonly key: string;
  /** What differs from `RetryPolicy`'s defaults; false sends once. */
  readonly retry?: Partial<RetryPolicy> | false;
  /** Called once for each operation whose reply says that it is deprecated or removed. */
  readonly onDeprecation?: (deprecation: Deprecation) => void;
  /** In place of `globalThis.fetch`. */
  readonly fetch?: Fetch;
}

/** What `checkContract` found. */
export interface ContractCheck {
  readonly same: boolean;
  /** The hash of the document that this client was printed from. */
  readonly client: string;
  /** The hash of the document that the server was built from. */
  readonly server: string;
}

/** The operations, each called by its operationId; and what goes beyond a single call. */
export type Client = { readonly [Id in keyof Documented]: Call<Id> } & {
  /** The same lists, item by item over all pages: `for await (const pet of client.each.listPets({ limit: 50 }))`. */
  readonly each: { readonly [Id in PagedId]: Walk<Id> };
  /** openapi-fetch's client for the same service: `client.http.GET('/pets')`, `client.http.use(middleware)`. */
  readonly http: Http<paths, 'application/json'>;
  /**
   * Whether server and client were made from the same document, to the letter. Where they were not, they may still get
   * on: additions break no client. Throws `UnexpectedReply` where the server shows no document.
   */
  checkContract(options?: Pick<CallOptions, 'signal'>): Promise<ContractCheck>;
};

/** A client for the service at `baseUrl`. Throws `TypeError` when that is no absolute address. */
export function createClient(options: ClientOptions): Client {
  const root = rootOf(options.baseUrl);
  const policy = mergeRetry(defaultRetry, options.retry);
  const operationAt = matcher(new URL(root).pathname.replace(/\/$/, '') + contract.basePath);
  const told = new Set<string>();
  /** What has been read of each reply. */
  const texts = new WeakMap<Response, string>();

  const once: Fetch = options.fetch ?? ((request) => globalThis.fetch(request));

  const transport =
    (retry: RetryPolicy): Fetch =>
    async (request) => {
      const { response, text } = await send(once, request, retry);
      const id = operationAt(request);
      if (response.type === 'opaqueredirect') throw new UnexpectedReply(id ?? request.url, response, text);
      const schema = id === undefined ? null : operations[id].replies[response.status];
      const whole = rebuild(response, request.url, text, () => parseJson(text, schema, contract.schemas));
      texts.set(whole, text);
      const deprecation = id === undefined || told.has(id) ? null : readDeprecation(id, whole);
      if (deprecation !== null) {
        told.add(deprecation.operation);
        options.onDeprecation?.(deprecation);
      }
      return whole;
    };

  const http = createHttp<paths, 'application/json'>({
    baseUrl: root + contract.basePath,
    headers: { Authorization: `Bearer ${options.key}` },
    bodySerializer: printJson,
    redirect: 'manual',
    fetch: transport(policy),
  });
  // Its types know one path at a time; here path and method come from the printed table.
  const request = http.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ readonly data?: unknown; readonly response: Response }>;

  const ask = async (
    id: OperationId,
    path: string,
    init: object,
    { signal, headers, retry }: CallOptions = {},
  ): Promise<AnyReply> => {
    const { data, response } = await request(operations[id].method, path, {
      ...init,
      ...(signal && { signal }),
      ...(headers && { headers }),
      ...(retry !== undefined && { fetch: transport(mergeRetry(policy, retry)) }),
      parseAs: 'text',
    });
    // A middleware may have put a reply of its own in place of ours.
    const text = texts.get(response) ?? (typeof data === 'string' ? data : '');
    const schema = operations[id].replies[response.status];
    if (schema === undefined) throw new UnexpectedReply(id, response, text);
    const { status, ok } = response;
    if (status === 204) return { status, ok, body: undefined, response };
    try {
      return { status, ok, body: parseJson(text, schema, contract.schemas), response };
    } catch {
      throw new UnexpectedReply(id, response, text);
    }
  };

  const call = (id: OperationId) => (input?: AnyInput, callOptions?: CallOptions) =>
    ask(id, operations[id].path, split(id, input), callOptions);

  const walk = (id: OperationId) =>
    async function* (input?: AnyInput, callOptions?: CallOptions) {
      let reply = await call(id)(input, callOptions);
      for (;;) {
        yield* unwrap(reply) as Iterable<unknown>; // printed as paged: the body is an array
        const { url, headers } = reply.response;
        const next = linkTarget(headers.get('link'), 'next', url);
        if (next === null) return;
        if (next.origin !== new URL(root).origin)
          throw new Error(`${id}: the next page is at ${next.origin}, where the key must not go`);
        if (next.href === url) throw new Error(`${id}: the next page is the same page again`);
        reply = await ask(id, next.pathname + next.search, { baseUrl: next.origin }, callOptions);
      }
    };

  const checkContract = async ({ signal }: Pick<CallOptions, 'signal'> = {}): Promise<ContractCheck> => {
    // Without the key: the document is public.
    const address = new Request(`${root}/openapi.yaml`, {
      redirect: 'manual',
      cache: 'no-cache',
      ...(signal && { signal }),
    });
    const { response, text } = await send(once, address, policy);
    if (response.status !== 200) throw new UnexpectedReply('checkContract', response, text);
    // A script of another origin may not see the entity tag, and something in between may write its own.
    const server = /^(?:W\/)?"([0-9a-f]{16})"$/.exec(response.headers.get('etag') ?? '')?.[1] ?? (await hash(text));
    return { same: server === contract.hash, client: contract.hash, server };
  };

  return {
    ...Object.fromEntries(ids.map((id) => [id, call(id)])),
    each: Object.fromEntries(ids.filter((id) => operations[id].paged).map((id) => [id, walk(id)])),
    http,
    checkContract,
  } as unknown as Client; // by operationId, as the type is; no type sees through Object.fromEntries
}

type AnyInput = Readonly<Record<string, unknown>>;
interface AnyReply {
  readonly status: number;
  readonly ok: boolean;
  readonly body: unknown;
  readonly response: Response;
}

/** `{ petId, limit, body }` as openapi-fetch has it: what the path names is of the path, all else of the query. */
function split(id: OperationId, { body, ...input }: AnyInput = {}): object {
  const inPath = (name: string) => operations[id].path.includes(`{${name}}`);
  const parameters = Object.entries(input);
  return {
    params: {
      path: Object.fromEntries(parameters.filter(([name]) => inPath(name))),
      query: Object.fromEntries(parameters.filter(([name]) => !inPath(name))),
    },
    ...(body !== undefined && { body }),
  };
}

/** Finds the operation that a request is for, by method and path. */
function matcher(base: string): (request: Request) => OperationId | undefined {
  // Where two fit, the one that names a segment goes before the one that leaves it open, as in the server.
  const order = (path: string) => path.replaceAll('{', '\uffff');
  const routes = ids
    .map((id) => ({ id, ...operations[id] }))
    .sort((a, b) => (order(a.path) < order(b.path) ? -1 : 1))
    .map(({ id, method, path }) => ({ id, method, segments: (base + path).split('/') }));
  return (request) => {
    const actual = new URL(request.url).pathname.split('/');
    return routes.find(
      ({ method, segments }) =>
        method === request.method.toLowerCase() &&
        segments.length === actual.length &&
        segments.every(
          (segment, index) => segment === actual[index] || (segment.startsWith('{') && actual[index] !== ''),
        ),
    )?.id;
  };
}

/** A response that can be read once more, with an exact `json`. */
function rebuild(response: Response, asked: string, text: string, json: () => unknown): Response {
  const headers = new Headers(response.headers);
  // openapi-fetch calls `json` only where it sees a length; without one it parses by itself, and rounds.
  if (text !== '') headers.set('content-length', `${new TextEncoder().encode(text).length}`);
  const { status, statusText } = response;
  const copy = new Response(text === '' ? null : text, { status, statusText, headers });
  return Object.defineProperties(copy, {
    url: { value: response.url || asked },
    json: { value: async () => json() },
  });
}

function mergeRetry(policy: RetryPolicy, change: Partial<RetryPolicy> | false | undefined): RetryPolicy {
  return change === false ? { ...policy, attempts: 1 } : { ...policy, ...change };
}

/** `baseUrl` without query, trailing slashes, and the base path that is added to it anyway. */
function rootOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  return origin + (path.endsWith(contract.basePath) ? path.slice(0, -contract.basePath.length) : path);
}

/** As `generate` names a document: SHA-256, the first 16 hexadecimal digits. */
async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
