import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteHandlerMethod } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { compileSchemas } from '../contract/compile.ts';
import type { Contract } from '../contract/contract.ts';
import { ContractError, pointer } from '../contract/document.ts';
import { checkExamples } from '../contract/examples.ts';
import type { Context, Handler, Handlers, OperationId } from '../contract/handler.ts';
import type { Operation } from '../contract/operations.ts';
import { codes, Failure } from '../failure.ts';
import { printJson } from '../json.ts';
import type { Store } from '../store/store.ts';
import { invalidKey, missingKey, presentedKey } from './access.ts';
import { deprecationHeaders, isRemoved, removed } from './deprecation.ts';
import { type Addresses, banned, limited, limitHeaders } from './limit.ts';
import { notImplemented } from './notImplemented.ts';
import { buildValidation, emptyBody } from './validation.ts';

/** What the routes are made of. */
export interface Parts {
  readonly contract: Contract;
  readonly handlers: Handlers<Store>;
  readonly store: Store;
  readonly addresses: Addresses;
  /** The latest request of each connection, which its end has to wait for. */
  readonly underWay: WeakMap<Socket, FastifyReply>;
  /** Unix milliseconds; decides when a deprecated operation ends. */
  readonly clock: () => number;
  /** Whether an operation without a handler answers its example from the document instead of 501. */
  readonly mocks: boolean;
}

/**
 * Questions without an answer, past which one more request is refused before it has cost anything. At 30,000 answers a
 * second the last of so many waits 50 ms; without a bound all would wait longer and longer, and none would be in time.
 * Questions and not requests, because every question comes to its end, also when its caller has left.
 */
const most = 1_500;

/**
 * Refusals for overload in one round of the event loop. A refusal costs nearly as much as an answer, so those past it
 * wait for the next round, and the answers get the larger share of the time.
 */
const refusalsInARound = 16;
const overloaded = new Failure(
  'service_unavailable',
  'The service has more requests than it can answer. Retry after 1 second.',
  { retryAfter: 1 },
);

/**
 * Binds every operation of the contract to its handler, below the base path, through fastify-openapi-glue. The order on
 * the way of a request is the order of the hooks: deprecation headers, key and limit, removal, media type; then the
 * body is read, the input validated, the handler called.
 */
export async function bindOperations(server: FastifyInstance, parts: Parts): Promise<void> {
  const { contract, handlers, store, clock } = parts;
  checkFolder(contract);
  checkCodes(contract);
  const compile = compileSchemas(contract);
  checkExamples(contract, compile);
  const context: Context<Store> = { store, address: addresses(contract, clock) };

  /** Who waits to be refused. */
  const refused: (() => void)[] = [];
  const refuse = (): void => {
    for (const done of refused.splice(0, refusalsInARound)) done();
    if (refused.length > 0) setImmediate(refuse);
  };

  const route = (operationId: string) => {
    const operation = contract.operations.get(operationId);
    if (operation === undefined) throw new Error(`no operation ${operationId}`); // glue read the same document
    const deprecation = operation.deprecation;
    const headers = deprecationHeaders(contract, operation);

    const describe: onRequestHookHandler = (request, reply, done) => {
      request.operationId = operationId;
      parts.underWay.set(request.raw.socket, reply);
      if (headers !== null) reply.headers(headers);
      if (store.unanswered() < most) return done();
      if (refused.length === 0) setImmediate(refuse);
      refused.push(() => done(overloaded));
    };
    const remove: onRequestHookHandler = (_request, reply, done) => {
      if (deprecation === null || !isRemoved(deprecation, clock())) return done();
      // What is removed is past its deprecation.
      reply.removeHeader('deprecation');
      done(removed(operationId, deprecation));
    };
    const handler = handlerOf(handlers, operation);
    return {
      method: operation.method.toUpperCase(),
      url: routePath(operation.path),
      onRequest: [
        describe,
        admission(parts),
        ...(deprecation ? [remove] : []),
        ...(operation.body === null ? [] : [checkMediaType]),
      ],
      handler:
        handler === null
          ? notImplemented(contract, operation, parts.mocks)
          : invoke(operation, handler, context, buildValidation(operation, compile)),
      // The document's schemas stay with our own validation: it names every failing place, and replies are not altered.
      schema: {},
    };
  };
  await server.register(openapiGlue, {
    specification: skeleton(contract),
    prefix: contract.basePath,
    operationResolver: route,
  });
}

/** Key, ban and quota: one question to the store. Without a valid key the caller's address pays. */
function admission({ store, addresses: byAddress }: Parts): onRequestHookHandler {
  return (request, reply, done) => {
    const presented = presentedKey(request.raw);
    const refuse = (failure: Failure): void => {
      const { admitted, usage } = byAddress.take(request.ip, store.admission.now());
      reply.headers(limitHeaders(usage));
      done(admitted ? failure : limited(usage));
    };
    if (presented.kind === 'none') return refuse(missingKey());
    if (presented.kind === 'malformed') return refuse(invalidKey());
    Promise.resolve(store.admission.admit(presented.fingerprint)).then((verdict) => {
      if (verdict.outcome === 'unknown') return refuse(invalidKey());
      request.keyId = verdict.keyId;
      reply.headers(limitHeaders(verdict.usage));
      if (verdict.outcome === 'admitted') done();
      else done(verdict.outcome === 'banned' ? banned(verdict.until, verdict.usage.now) : limited(verdict.usage));
    }, done);
  };
}

/** 415 for a body that is not JSON in UTF-8 as it stands; before it is read, and where it is missing. */
const checkMediaType: onRequestHookHandler = ({ headers, raw }, _reply, done) => {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const isJson = type === 'application/json';
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset') || /^charset="?utf-8"?$/.test(parameter),
  );
  if (isJson && isUtf8 && headers['content-encoding'] === undefined) {
    // A request that announces no body has none to wait for (optimizeEmptyRequests); Fastify would wait for ever.
    return done(raw.readableEnded ? emptyBody() : undefined);
  }
  done(
    new Failure(
      'unsupported_media_type',
      'Send the body as "Content-Type: application/json", in UTF-8 and without Content-Encoding.',
    ),
  );
};

function invoke(
  operation: Operation,
  handler: Handler<OperationId, Store>,
  context: Context<Store>,
  validate: ReturnType<typeof buildValidation>,
): RouteHandlerMethod {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // The types of `Input` are printed from the schemas that `validate` just held the request against.
    const result = await handler(validate(request) as Parameters<typeof handler>[0], context);
    reply.code(Number(result.status));
    if (!operation.responses.has(reply.statusCode))
      throw new Error(`${operation.id} answered ${result.status}, which openapi.yaml does not document`);
    const headers: Readonly<Record<string, unknown>> = result.headers ?? {};
    for (const name in headers) if (headers[name] !== undefined) reply.header(name, headers[name]);
    if (result.body === undefined) return reply.send();
    return reply.type('application/json').send(typeof result.body === 'string' ? result.body : printJson(result.body));
  };
}

/** Null where the document says that there is none yet; both must agree. */
function handlerOf(handlers: Handlers<Store>, { id, implemented }: Operation): Handler<OperationId, Store> | null {
  const found: unknown = Object.hasOwn(handlers, id) ? Reflect.get(handlers, id) : undefined;
  if (found === null && !implemented) return null;
  if (!implemented) throw new ContractError([`${id} has a handler: remove x-not-implemented from it in openapi.yaml`]);
  if (typeof found !== 'function')
    throw new ContractError([
      `${id} has no handler in generated/handlers.ts: write src/operations/${id}.ts and run npm run generate`,
    ]);
  // Which operationId it is for is known at run time only; generated/handlers.ts has been checked by its exact type.
  return found as Handler<OperationId, Store>;
}

/** A path of the document in Fastify's notation: `/pets/:petId([^]+)`, as a bare `:petId` would also match nothing. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1([^]+)');
}

/** The path of an operation, its parameters filled in; null once it is removed. */
function addresses(contract: Contract, clock: () => number): Context<Store>['address'] {
  // A path cut at its parameters: texts at even places, names at odd ones.
  const cut = new Map<string, readonly string[]>();
  for (const { id, path } of contract.operations.values()) cut.set(id, (contract.basePath + path).split(/\{([^}]+)\}/));

  return (id, input) => {
    const parts = cut.get(id);
    if (parts === undefined || isRemoved(contract.operations.get(id)?.deprecation ?? null, clock())) return null;
    const params: Readonly<Record<string, unknown>> = input.params ?? {};
    const query: Readonly<Record<string, unknown>> = input.query ?? {};
    let address = '';
    for (const [index, part] of parts.entries())
      address += index % 2 === 0 ? part : encodeURIComponent(String(params[part]));
    let separator = '?';
    for (const name in query) {
      if (query[name] === undefined) continue;
      address += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(String(query[name]))}`;
      separator = '&';
    }
    return address;
  };
}

/** All that glue needs to know. It would validate the whole document again at every boot, and read less of it than we. */
function skeleton(contract: Contract) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { id, method, path } of contract.operations.values())
    (paths[path] ??= {})[method] = { operationId: id, responses: { default: { description: id } } };
  return { openapi: '3.1.0', info: { title: 'operations', version: '1' }, paths };
}

function checkFolder(contract: Contract): void {
  const strays = readdirSync(new URL('../operations/', import.meta.url))
    .map((file) => file.replace(/\.ts$/, ''))
    .filter((name) => !contract.operations.has(name));
  if (strays.length > 0)
    throw new ContractError(
      strays.map((name) => `src/operations/${name}.ts answers no operation: remove or rename it`),
    );
}

function checkCodes(contract: Contract): void {
  const problems = [
    ...codes
      .filter((code) => code !== 'not_implemented' && !contract.errorCodes.includes(code))
      .map((code) => `${code} is answered but not listed`),
    ...contract.errorCodes
      .filter((code) => !codes.some((own) => own === code))
      .map((code) => `${code} is listed but never answered`),
  ];
  const place = `${pointer('components', 'schemas', 'Error', 'properties', 'code')}/x-extensible-enum`;
  if (problems.length > 0) throw new ContractError(problems.map((text) => `${place}: the error code ${text}`));
}
