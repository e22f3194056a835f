import { METHODS } from 'node:http';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Failure } from '../failure.ts';

/**
 * Answers, on every path that `allowed` names (in Fastify's notation), the methods that it does not have: OPTIONS with
 * 204 and `Allow`, all others with 405 and `Allow`. `beforeRefusal` runs before the 405.
 */
export function answerOtherMethods(
  server: FastifyInstance,
  allowed: ReadonlyMap<string, readonly string[]>,
  onRequest: { readonly options: onRequestHookHandler; readonly refusal: onRequestHookHandler },
): void {
  for (const method of METHODS) if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
  for (const [url, own] of allowed) {
    const all = [...own, ...(own.includes('GET') && !own.includes('HEAD') ? ['HEAD'] : []), 'OPTIONS'];
    const allow = all.join(', ');
    server.route({
      method: 'OPTIONS',
      url,
      onRequest: onRequest.options,
      handler: (_request, reply) =>
        reply
          .code(204)
          .headers({
            allow,
            'access-control-allow-methods': allow,
            'access-control-allow-headers': 'Authorization, Content-Type',
            'access-control-max-age': '86400',
          })
          .send(),
    });
    const refuse: onRequestHookHandler = (_request, reply, done) => {
      reply.header('allow', allow);
      done(new Failure('method_not_allowed', `This path has no such method; it has ${allow}.`));
    };
    server.route({
      // CONNECT never reaches a route: node:http closes such a connection.
      method: METHODS.filter((method) => !all.includes(method) && method !== 'CONNECT'),
      url,
      exposeHeadRoute: false,
      onRequest: [onRequest.refusal, refuse],
      handler: () => {
        throw new Error('refused before');
      },
    });
  }
}
