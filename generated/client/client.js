// Printed from src/client by npm run generate. Not for editing.

import createHttp, {} from 'openapi-fetch';
import { contract } from '../contract.js';
import { readDeprecation } from './deprecation.js';
import { parseJson, printJson } from './json.js';
import { linkTarget } from './links.js';
import { UnexpectedReply, unwrap } from './reply.js';
import { defaultRetry, send } from './retry.js';
export { ApiError, UnexpectedReply, unwrap } from './reply.js';
const operations = contract.operations;
const ids = Object.keys(operations); // the printed table has no other keys
/** Names the exact document that this client was printed from. */
export const contractHash = contract.hash;
/** A client for the service at `baseUrl`. Throws `TypeError` when that is no absolute address. */
export function createClient(options) {
    const root = rootOf(options.baseUrl);
    const policy = mergeRetry(defaultRetry, options.retry);
    const operationAt = matcher(new URL(root).pathname.replace(/\/$/, '') + contract.basePath);
    const told = new Set();
    /** What has been read of each reply. */
    const texts = new WeakMap();
    const once = options.fetch ?? ((request) => globalThis.fetch(request));
    const transport = (retry) => async (request) => {
        const { response, text } = await send(once, request, retry);
        const id = operationAt(request);
        if (response.type === 'opaqueredirect')
            throw new UnexpectedReply(id ?? request.url, response, text);
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
    const http = createHttp({
        baseUrl: root + contract.basePath,
        headers: { Authorization: `Bearer ${options.key}` },
        bodySerializer: printJson,
        redirect: 'manual',
        fetch: transport(policy),
    });
    // Its types know one path at a time; here path and method come from the printed table.
    const request = http.request;
    const ask = async (id, path, init, { signal, headers, retry } = {}) => {
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
        if (schema === undefined)
            throw new UnexpectedReply(id, response, text);
        const { status, ok } = response;
        if (status === 204)
            return { status, ok, body: undefined, response };
        try {
            return { status, ok, body: parseJson(text, schema, contract.schemas), response };
        }
        catch {
            throw new UnexpectedReply(id, response, text);
        }
    };
    const call = (id) => (input, callOptions) => ask(id, operations[id].path, split(id, input), callOptions);
    const walk = (id) => async function* (input, callOptions) {
        let reply = await call(id)(input, callOptions);
        for (;;) {
            yield* unwrap(reply); // printed as paged: the body is an array
            const { url, headers } = reply.response;
            const next = linkTarget(headers.get('link'), 'next', url);
            if (next === null)
                return;
            if (next.origin !== new URL(root).origin)
                throw new Error(`${id}: the next page is at ${next.origin}, where the key must not go`);
            if (next.href === url)
                throw new Error(`${id}: the next page is the same page again`);
            reply = await ask(id, next.pathname + next.search, { baseUrl: next.origin }, callOptions);
        }
    };
    const checkContract = async ({ signal } = {}) => {
        // Without the key: the document is public.
        const address = new Request(`${root}/openapi.yaml`, {
            redirect: 'manual',
            cache: 'no-cache',
            ...(signal && { signal }),
        });
        const { response, text } = await send(once, address, policy);
        if (response.status !== 200)
            throw new UnexpectedReply('checkContract', response, text);
        // A script of another origin may not see the entity tag, and something in between may write its own.
        const server = /^(?:W\/)?"([0-9a-f]{16})"$/.exec(response.headers.get('etag') ?? '')?.[1] ?? (await hash(text));
        return { same: server === contract.hash, client: contract.hash, server };
    };
    return {
        ...Object.fromEntries(ids.map((id) => [id, call(id)])),
        each: Object.fromEntries(ids.filter((id) => operations[id].paged).map((id) => [id, walk(id)])),
        http,
        checkContract,
    }; // by operationId, as the type is; no type sees through Object.fromEntries
}
/** `{ petId, limit, body }` as openapi-fetch has it: what the path names is of the path, all else of the query. */
function split(id, { body, ...input } = {}) {
    const inPath = (name) => operations[id].path.includes(`{${name}}`);
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
function matcher(base) {
    // Where two fit, the one that names a segment goes before the one that leaves it open, as in the server.
    const order = (path) => path.replaceAll('{', '\uffff');
    const routes = ids
        .map((id) => ({ id, ...operations[id] }))
        .sort((a, b) => (order(a.path) < order(b.path) ? -1 : 1))
        .map(({ id, method, path }) => ({ id, method, segments: (base + path).split('/') }));
    return (request) => {
        const actual = new URL(request.url).pathname.split('/');
        return routes.find(({ method, segments }) => method === request.method.toLowerCase() &&
            segments.length === actual.length &&
            segments.every((segment, index) => segment === actual[index] || (segment.startsWith('{') && actual[index] !== '')))?.id;
    };
}
/** A response that can be read once more, with an exact `json`. */
function rebuild(response, asked, text, json) {
    const headers = new Headers(response.headers);
    // openapi-fetch calls `json` only where it sees a length; without one it parses by itself, and rounds.
    if (text !== '')
        headers.set('content-length', `${new TextEncoder().encode(text).length}`);
    const { status, statusText } = response;
    const copy = new Response(text === '' ? null : text, { status, statusText, headers });
    return Object.defineProperties(copy, {
        url: { value: response.url || asked },
        json: { value: async () => json() },
    });
}
function mergeRetry(policy, change) {
    return change === false ? { ...policy, attempts: 1 } : { ...policy, ...change };
}
/** `baseUrl` without query, trailing slashes, and the base path that is added to it anyway. */
function rootOf(baseUrl) {
    const { origin, pathname } = new URL(baseUrl);
    const path = pathname.replace(/\/+$/, '');
    return origin + (path.endsWith(contract.basePath) ? path.slice(0, -contract.basePath.length) : path);
}
/** As `generate` names a document: SHA-256, the first 16 hexadecimal digits. */
async function hash(text) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
