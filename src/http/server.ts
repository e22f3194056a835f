import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { unescape as decode } from 'node:querystring';
import fastify, { type FastifyInstance, type FastifyReply, type onRequestHookHandler } from 'fastify';
import type { Contract } from '../contract/contract.ts';
import type { Handlers } from '../contract/handler.ts';
import { bodyLimit, headerLimit } from '../contract/limits.ts';
import { Failure } from '../failure.ts';
import type { Store } from '../store/store.ts';
import { challenge } from './access.ts';
import { bindOperations, routePath } from './bind.ts';
import { deprecationHeaders } from './deprecation.ts';
import { serveDocs } from './docs.ts';
import { serveHealth } from './health.ts';
import { Addresses, limited, limitHeaders, unavailableHeaders } from './limit.ts';
import { type Log, logRequests } from './log.ts';
import { answerOtherMethods } from './methods.ts';
import { measure } from './metrics.ts';
import { problemText, statusOf, toFailure } from './problem.ts';
import { parseBody } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When its headers had come, monotonic milliseconds. */
    startedAt: number;
    /** The operation that the request reached, for log and metrics. */
    operationId: string | null;
    /** The id of the valid key it came with; never the key. */
    keyId: string | null;
    /** The error code it was answered with, and what lay behind a 5xx, for log and metrics. */
    failure: Failure | null;
  }
}

export interface ServerParts {
  readonly contract: Contract;
  readonly handlers: Handlers<Store>;
  readonly store: Store;
  readonly log: Log;
  /** Proxies whose `X-Forwarded-For` is believed: addresses and CIDR ranges; empty believes none. */
  readonly trustProxy: readonly string[];
  /** Unix milliseconds; decides when a deprecated operation ends. */
  readonly clock?: () => number;
  /** Mock mode: an operation that is `x-not-implemented` answers its example from the document instead of 501. */
  readonly mocks?: boolean;
}

/** Milliseconds for a whole request to arrive, and how often that is looked at. */
const requestTimeout = 10_000;
const timeoutCheck = 1_000;

/** Response headers that a script of another origin may read (Fetch standard, CORS). */
const exposed =
  'Link, Location, Retry-After, WWW-Authenticate, Allow, Deprecation, Sunset, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit';

/** A ready server that does not listen yet. Throws `ContractError` where document and handlers do not match. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { contract, store, log } = parts;
  const clock = parts.clock ?? Date.now;
  const addresses = new Addresses(contract.limits.anonymous);
  /** Whether an address lies under the base path, in whatever form it came: absolute (RFC 9112, 3.2.2), percent-encoded. */
  const isOurs = (url: string) => {
    const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
    return `${decode(path)}/`.startsWith(`${contract.basePath}/`);
  };
  const requestPrefix = randomBytes(4).toString('hex');
  let requests = 0;
  /** The latest request of each connection: who to answer, or to wait for, when the parser gives up. */
  const underWay = new WeakMap<Socket, FastifyReply>();

  let tell: ReturnType<typeof logRequests> = () => {};
  /** For what reaches no hook. */
  const tellOf = (requestId: string, method: string | null, failure: Failure): void =>
    tell({ requestId, method, operationId: null, keyId: null, status: statusOf[failure.code], ms: 0, failure });

  const server = fastify({
    // One line for each request is ours to write (log.ts). With a logger, or an onResponse hook, Fastify would listen to
    // the end of every response, which takes 4 % of a request's JavaScript.
    logger: false,
    genReqId: () => `${requestPrefix}-${(++requests).toString(36)}`,
    requestIdHeader: false,
    bodyLimit,
    requestTimeout,
    // An idle connection is kept a little longer than front doors keep theirs (Caddy 2 min): they close first.
    keepAliveTimeout: 125_000,
    trustProxy: parts.trustProxy.length === 0 ? false : [...parts.trustProxy],
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: headerLimit },
    // requestTimeout once more: Fastify sets it on the server that is made already, where node watches headers by it but
    // not bodies.
    http: {
      maxHeaderSize: headerLimit,
      requireHostHeader: false,
      connectionsCheckingInterval: timeoutCheck,
      requestTimeout,
      // Without a body there is no stream of it to set up, to end and to close: 3 % of a request.
      optimizeEmptyRequests: true,
    },
    frameworkErrors: (error, request, reply) => {
      // Before any route: the address could not be read. The operation that it was meant for still speaks in its headers.
      open(reply);
      const meant = [...contract.operations.values()].find(
        ({ method, path }) =>
          method === request.method.toLowerCase().replace('head', 'get') &&
          new RegExp(`^${contract.basePath}${path.replaceAll(/\{\w+\}/g, '[^/?#]+')}(?:[?#]|$)`).test(
            request.raw.url ?? '',
          ),
      );
      reply.headers((meant && deprecationHeaders(contract, meant)) ?? {});
      const failure = (isOurs(request.raw.url ?? '') ? chargeAddress(request.ip, reply) : null) ?? toFailure(error);
      answer(reply, failure);
      tellOf(request.id, request.method, failure);
    },
    clientErrorHandler: (error, socket) => {
      const reply = underWay.get(socket);
      if (reply?.sent === false && !reply.request.raw.complete) {
        reply.header('connection', 'close');
        answer(reply, toFailure(error));
        reply.raw.once('finish', () => socket.destroy());
      } else answerLast(socket, toFailure(error));
    },
  });

  const chargeAddress = (ip: string, reply: FastifyReply): Failure | null => {
    const { admitted, usage } = addresses.take(ip, store.admission.now());
    reply.headers(limitHeaders(usage));
    return admitted ? null : limited(usage);
  };

  const open = (reply: FastifyReply): void => {
    reply.header('x-request-id', reply.request.id);
    // Any origin: a key is sent by the script that has it, never by the browser of its own accord as a cookie is.
    if (reply.request.headers.origin !== undefined)
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed, vary: 'Origin' });
  };

  /** The one renderer of errors that have a request. */
  const answer = (reply: FastifyReply, failure: Failure): void => {
    const { request } = reply;
    request.failure = failure;
    const authenticate = challenge(failure);
    if (authenticate !== null) reply.header('www-authenticate', authenticate);
    if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter);
    if (failure.code === 'service_unavailable' && isOurs(request.url))
      reply.headers(unavailableHeaders(contract.limits.anonymous, store.admission.now(), failure.retryAfter ?? 1));
    else if (isOurs(request.url) && !reply.hasHeader('x-ratelimit-limit'))
      reply.headers(limitHeaders(addresses.look(request.ip, store.admission.now())));
    reply.code(statusOf[failure.code]).type('application/json').send(problemText(failure));
  };

  /** What is wrong came after a whole request, which may be storing an animal: that one's own answer goes first. */
  const answerLast = (socket: Socket, failure: Failure): void => {
    const reply = underWay.get(socket);
    if (reply?.sent === false) reply.raw.once('finish', () => answerRaw(socket, failure));
    else answerRaw(socket, failure);
  };

  /** For what never became a request: the same answer, written by hand. */
  const answerRaw = (socket: Socket, failure: Failure): void => {
    if (!socket.writable || failure.code === 'internal_error') {
      socket.destroy();
      return;
    }
    const body = problemText(failure);
    const { usage } = addresses.take(socket.remoteAddress ?? '', store.admission.now());
    const requestId = `${requestPrefix}-${(++requests).toString(36)}`;
    tellOf(requestId, null, failure);
    const lines = Object.entries({
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      'x-request-id': requestId,
      ...limitHeaders(usage),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${statusOf[failure.code]} ${failure.code}\r\n${lines.join('')}\r\n${body}`);
    socket.once('finish', () => socket.destroy());
  };

  server.decorateRequest('startedAt', 0);
  server.decorateRequest('operationId', null);
  server.decorateRequest('keyId', null);
  server.decorateRequest('failure', null);
  server.setErrorHandler((error, _request, reply) => answer(reply, toFailure(error)));

  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes: Buffer, done) => {
    try {
      done(null, parseBody(bytes));
    } catch (error) {
      done(error as Error); // parseBody throws Failure
    }
  });

  server.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    open(reply);
    const { rawHeaders } = request.raw;
    let hosts = 0;
    for (let i = 0; i < rawHeaders.length; i += 2)
      if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++;
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1'))
      done(new Failure('invalid_request', 'The request needs one Host header (RFC 9112, section 3.2).'));
    // Here and not in a handler, before which Fastify would read the body, and refuse what is wrong with it.
    else if (request.is404)
      done(
        (isOurs(request.url) ? chargeAddress(request.ip, reply) : null) ??
          new Failure('not_found', 'There is no such path.'),
      );
    else done();
  });
  tell = logRequests(server, log);
  measure(server, contract, store);
  await bindOperations(server, { ...parts, addresses, underWay, clock, mocks: parts.mocks ?? false });

  const payByAddress: onRequestHookHandler = (request, reply, done) => {
    done((isOurs(request.url) ? chargeAddress(request.ip, reply) : null) ?? undefined);
  };
  const lookAtAddress: onRequestHookHandler = (request, reply, done) => {
    if (isOurs(request.url)) reply.headers(limitHeaders(addresses.look(request.ip, store.admission.now())));
    done();
  };
  const docs = serveDocs(server, contract);
  serveHealth(server, store);
  const allowed = new Map<string, string[]>();
  for (const { method, path } of contract.operations.values()) {
    const url = contract.basePath + routePath(path);
    allowed.set(url, [...(allowed.get(url) ?? []), method.toUpperCase()]);
  }
  for (const path of [...docs, '/livez', '/readyz', '/metrics']) allowed.set(path, ['GET']);
  answerOtherMethods(server, allowed, { options: lookAtAddress, refusal: payByAddress });

  server.server.on('checkExpectation', (request, response) => {
    // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1); node would answer a bare 417.
    server.server.emit('request', request, response);
  });
  server.server.on('connect', (_request, socket: Socket) => {
    // Node would close the connection without a word.
    answerLast(socket, new Failure('invalid_request', 'CONNECT asks for a proxy, and this is none.'));
  });
  return server;
}
