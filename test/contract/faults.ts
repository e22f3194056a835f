import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from '../../src/contract/test/case.ts';
import type { Reply } from '../../src/contract/test/judge.ts';

/** A way to break a server: what it answers to `request` instead, where `forward` asks the unbroken one. */
export type Fault = (request: Request, forward: (request: Request) => Promise<Reply>) => Promise<Reply>;

/** Replies with `change` where `when` is so, and the rest as they are. */
function replacing(
  when: (request: Request, reply: Reply) => boolean,
  change: (reply: Reply, request: Request) => Partial<Reply>,
): Fault {
  return async (request, forward) => {
    const reply = await forward(request);
    return when(request, reply) ? { ...reply, ...change(reply, request) } : reply;
  };
}

function headers(reply: Reply, changes: Readonly<Record<string, string | null>>): Pick<Reply, 'headers'> {
  const copy = new Headers(reply.headers);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) copy.delete(name);
    else copy.set(name, value);
  }
  return { headers: copy };
}

const status = (wanted: number) => (_: Request, reply: Reply) => reply.status === wanted;
const isList = (request: Request) => request.method === 'GET' && /\/pets(\?|$)/.test(request.target);
const isPet = (_: Request, { status: code, text }: Reply) => code < 300 && text.startsWith('{');
const without = (name: string, when: (request: Request, reply: Reply) => boolean) =>
  replacing(when, (reply) => headers(reply, { [name]: null }));
const withBody = (when: (request: Request, reply: Reply) => boolean, change: (text: string) => string) =>
  replacing(when, (reply) => ({ text: change(reply.text) }));
/** Lets a request through that the server refuses, as if its check were missing. */
const asIf =
  (when: (request: Request) => boolean, change: (request: Request) => Partial<Request>): Fault =>
  (request, forward) =>
    forward(when(request) ? { ...request, ...change(request) } : request);
const error = (code: number, name: string) => (reply: Reply) => ({
  status: code,
  text: JSON.stringify({ code: name, message: 'broken', status: code }),
  ...headers(reply, { 'content-type': 'application/json', allow: null }),
});
const texts = ({ body }: Request) => (typeof body === 'string' ? body : '');
const query = (target: string, change: (parameters: URLSearchParams) => void) => {
  const url = new URL(target, 'http://localhost');
  change(url.searchParams);
  return url.pathname + url.search;
};

/** Each breaks one promise of the document; with it, what a report of that has to say. */
export const faults: Readonly<Record<string, { readonly fault: Fault; readonly said: RegExp }>> = {
  'a create answers 200': { fault: replacing(status(201), () => ({ status: 200 })), said: /createPet.*status 200/s },
  'a bad value answers 500': { fault: replacing(status(400), error(500, 'internal_error')), said: /status 500.*400/s },
  'a bad value answers 422': { fault: replacing(status(400), () => ({ status: 422 })), said: /status 422/ },
  'a bad limit is put right': {
    fault: asIf(isList, ({ target }) => ({ target: target.replace(/limit=(0|101)$/, 'limit=5') })),
    said: /limit being (0|101).*status 200/s,
  },
  'a missing property is made up': {
    fault: asIf(
      ({ method, body }) => method === 'POST' && body !== null,
      ({ body }) => ({
        body:
          typeof body === 'string' ? body.replace('{"name":"x","status"', '{"name":"x","categoryId":0,"status"') : body,
      }),
    ),
    said: /categoryId left out.*status 201/s,
  },
  'a body value is coerced': {
    fault: asIf(
      ({ method }) => method === 'POST',
      ({ body }) => ({ body: typeof body === 'string' ? body.replace('"categoryId":"5"', '"categoryId":5') : body }),
    ),
    said: /categoryId being "5".*status 201/s,
  },
  'a required header is missing': {
    fault: without('x-ratelimit-reset', status(200)),
    said: /x-ratelimit-reset is missing/,
  },
  'the request id is missing on a 404': {
    fault: without('x-request-id', status(404)),
    said: /x-request-id is missing/,
  },
  'a header breaks its schema': {
    fault: replacing(status(200), (reply) => headers(reply, { 'x-ratelimit-limit': 'many' })),
    said: /x-ratelimit-limit: many/,
  },
  'a header is undocumented': {
    fault: replacing(status(200), (reply) => headers(reply, { 'x-powered-by': 'Express' })),
    said: /x-powered-by is undocumented/,
  },
  'the media type is another': {
    fault: replacing(status(200), (reply) => headers(reply, { 'content-type': 'text/html' })),
    said: /Content-Type: text\/html/,
  },
  'the charset is another': {
    fault: replacing(status(201), (reply) =>
      headers(reply, { 'content-type': 'application/json; charset=iso-8859-1' }),
    ),
    said: /charset=iso-8859-1/,
  },
  'the body is no JSON': { fault: withBody(status(201), (text) => text.slice(0, -1)), said: /no JSON/ },
  'a property is missing': {
    fault: withBody(isPet, (text) => text.replace(/,"status":"\w+"/, '')),
    said: /required property 'status'/,
  },
  'a property has another type': {
    fault: withBody(isPet, (text) => text.replace(/"id":(-?\d+)/, '"id":"$1"')),
    said: /\/id must be an integer/,
  },
  'a property is undocumented': {
    fault: withBody(isPet, (text) => text.replace(/^\{/, '{"owner":"me",')),
    said: /\/owner, which is undocumented/,
  },
  'an unknown field is stored': {
    fault: replacing(
      (request, reply) => reply.status === 201 && texts(request).includes('somethingUnknown'),
      ({ text }) => ({ text: text.replace(/^\{/, '{"somethingUnknown":1,') }),
    ),
    said: /somethingUnknown, which is undocumented/,
  },
  'an error has more than three members': {
    fault: withBody(status(400), (text) => text.replace(/^\{/, '{"stack":"at",')),
    said: /additional properties: stack/,
  },
  'an error has another shape': {
    fault: withBody(status(400), () => '{"error":{"code":"invalid_request"}}'),
    said: /an error with error in its body/,
  },
  'an error says another status': {
    fault: withBody(status(404), (text) => text.replace('"status":404', '"status":400')),
    said: /body says status 400/,
  },
  'an error code is unknown': {
    fault: withBody(status(404), (text) => text.replace('not_found', 'gone_fishing')),
    said: /error code gone_fishing/,
  },
  'an error code goes with another status': {
    fault: withBody(status(415), (text) => text.replace('unsupported_media_type', 'not_found')),
    said: /error code not_found with 415/,
  },
  'an int64 is rounded': {
    fault: withBody(
      (_, reply) => reply.status < 300,
      (text) => text.replaceAll(/\d{16,}/g, (digits) => `${BigInt(Number(digits))}`),
    ),
    said: /categoryId came back as|must be an integer from/,
  },
  'an int64 is off by one': {
    fault: withBody(status(201), (text) => text.replace('9223372036854775807', '9223372036854775806')),
    said: /categoryId came back as 9223372036854775806.*9223372036854775807/s,
  },
  'a text is trimmed': {
    fault: withBody(status(201), (text) => text.replace('" two  blanks "', '"two  blanks"')),
    said: /name came back as "two {2}blanks"/,
  },
  'a default is not set': {
    fault: withBody(status(201), (text) => text.replace('"available"', '"sold"')),
    said: /status came back as "sold"/,
  },
  'an enum has another value': {
    fault: withBody(isPet, (text) => text.replace('"sold"', '"lost"')),
    said: /\/status must be equal to one of the allowed values/,
  },
  'a created animal is another one when it is asked for': {
    fault: replacing(
      (request, reply) => request.method === 'GET' && isPet(request, reply),
      ({ text }) => ({ text: text.replace(/"name":"(.)/, '"name":"?$1') }),
    ),
    said: /at its Location.*createPet answered/s,
  },
  'an unknown method answers 404': { fault: replacing(status(405), error(404, 'not_found')), said: /status 404.*405/s },
  'a 405 has no Allow': { fault: without('allow', status(405)), said: /405 without Allow/ },
  'Allow names a method too many': {
    fault: replacing(status(405), (reply) => headers(reply, { allow: `${reply.headers.get('allow')}, TRACE` })),
    said: /Allow: .*TRACE/,
  },
  'OPTIONS has no Allow': { fault: without('allow', status(204)), said: /204 without Allow/ },
  'OPTIONS answers 200': { fault: replacing(status(204), () => ({ status: 200 })), said: /OPTIONS.*status 200/s },
  'no key is needed': {
    fault: asIf(
      ({ credential }) => credential === 'none',
      () => ({ credential: 'valid' }),
    ),
    said: /without a key.*status 200/s,
  },
  'any key will do': {
    fault: asIf(
      ({ credential }) => credential === 'unknown',
      () => ({ credential: 'valid' }),
    ),
    said: /a key that nobody was given.*status 200/s,
  },
  'the key is checked after the input': {
    fault: async (request, forward) => {
      if (request.credential === 'valid') return forward(request);
      const open = await forward({ ...request, credential: 'valid' });
      return open.status === 400 ? open : forward(request);
    },
    said: /without a key, with a (body|parameter).*status 400/s,
  },
  'the key is checked after the size': {
    fault: asIf(
      ({ credential, body }) => credential === 'none' && (body?.length ?? 0) > 65_536,
      () => ({ credential: 'valid' }),
    ),
    said: /without a key, with a body that is too large.*status 413/s,
  },
  'the key is checked before the path': {
    fault: replacing(
      (request, reply) => reply.status === 404 && request.credential === 'none',
      error(401, 'missing_api_key'),
    ),
    said: /status 401.*404 comes before 401/s,
  },
  'a 401 has no challenge': { fault: without('www-authenticate', status(401)), said: /www-authenticate is missing/ },
  'the challenge is that of a wrong key': {
    fault: replacing(status(401), (reply) =>
      headers(reply, { 'www-authenticate': 'Bearer realm="animal-store", error="invalid_token"' }),
    ),
    said: /no error where no key was sent/,
  },
  'limit is ignored': {
    fault: asIf(isList, ({ target }) => ({
      target: query(target, (parameters) => parameters.get('limit') === '1' && parameters.set('limit', '3')),
    })),
    said: /a list of 3 items.*limit is 1/s,
  },
  'the default of limit is ignored': {
    fault: asIf(isList, ({ target }) => ({ target: target.includes('?') ? target : `${target}?limit=100` })),
    said: /a list of \d+ items.*default of limit is 20/s,
  },
  'the status filter is ignored': {
    fault: asIf(isList, ({ target }) => ({ target: target.replace(/status=(pending|sold)$/, '') })),
    said: /an item with another status/,
  },
  'the next page is the same page': {
    fault: asIf(isList, ({ target }) => ({ target: query(target, (parameters) => parameters.delete('cursor')) })),
    said: /once more.*a walk meets each item once/s,
  },
  'the next page forgets the limit': {
    fault: replacing(isList, (reply) =>
      reply.headers.has('link')
        ? headers(reply, { link: (reply.headers.get('link') ?? '').replace(/limit=\d+&/, '') })
        : {},
    ),
    said: /it keeps limit=/,
  },
  'HEAD has other headers': {
    fault: replacing(
      ({ method }) => method === 'HEAD',
      (reply) => headers(reply, { 'content-type': 'text/plain' }),
    ),
    said: /HEAD with content-type: text\/plain/,
  },
  'HEAD answers 405': {
    fault: replacing(
      ({ method }) => method === 'HEAD',
      () => ({ status: 405 }),
    ),
    said: /HEAD: .*status 405/s,
  },
  'a 429 has no Retry-After': {
    fault: replacing(
      (request) => request.target.endsWith('limit=100'),
      (reply) => error(429, 'rate_limit_exceeded')(reply),
    ),
    said: /retry-after is missing/,
  },
  'Deprecation is missing': { fault: without('deprecation', () => true), said: /deprecation is missing/ },
  'Deprecation has another date': {
    fault: replacing(
      (_, reply) => reply.headers.has('deprecation'),
      (reply) => headers(reply, { deprecation: '@1700000000' }),
    ),
    said: /deprecation: @1700000000/,
  },
  'Sunset has another date': {
    fault: replacing(
      (_, reply) => reply.headers.has('sunset'),
      (reply) => headers(reply, { sunset: new Date(0).toUTCString() }),
    ),
    said: /sunset: Thu, 01 Jan 1970/,
  },
  'text/plain is taken for JSON': {
    fault: asIf(
      ({ headers: { 'content-type': type } }) => type === 'text/plain',
      () => ({ headers: { 'content-type': 'application/json' } }),
    ),
    said: /a body with text\/plain.*status 201/s,
  },
  'a body that is too large is taken': {
    fault: asIf(
      ({ body }) => (body?.length ?? 0) > 65_536,
      (request) => ({ body: texts(request).trim() }),
    ),
    said: /a body of 65537 bytes.*status 201/s,
  },
  'a trailing slash is taken off': {
    fault: asIf(
      ({ target }) => target.endsWith('/pets/'),
      ({ target }) => ({ target: target.slice(0, -1) }),
    ),
    said: /GET \/v1\/pets\/.*status 200/s,
  },
  'the connection breaks': {
    fault: (request, forward) =>
      request.target.endsWith('limit=100') ? Promise.reject(new Error('socket hang up')) : forward(request),
    said: /no reply: socket hang up/,
  },
};

/** A server that passes everything on to the one at `target`, and breaks its replies. */
export async function breakingProxy(
  forward: (request: Request) => Promise<Reply>,
  fault: Fault,
): Promise<{ url: string; close(): Promise<void> }> {
  // What is too large is for the server behind it to say.
  const server: Server = createServer({ maxHeaderSize: 65_536 }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const { host: _, 'content-length': __, connection: ___, ...rest } = incoming.headers;
      const body = Buffer.concat(chunks);
      const given = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
      const reply = await fault(
        {
          method: incoming.method ?? '',
          target: incoming.url ?? '',
          headers: given,
          body: body.length === 0 && incoming.headers['content-length'] === undefined ? null : body,
          credential: 'none',
        },
        forward,
      );
      for (const [name, value] of reply.headers)
        if (!['connection', 'keep-alive', 'transfer-encoding'].includes(name)) outgoing.setHeader(name, value);
      outgoing.writeHead(reply.status).end(reply.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
