import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

/** One line for each request that was answered. It holds ids, never a key, a body or an address's query. */
export function logRequests(server: FastifyInstance, log: FastifyBaseLogger): void {
  server.addHook('onResponse', (request, reply, done) => {
    const line = {
      requestId: request.id,
      method: request.method,
      operationId: request.operationId,
      keyId: request.keyId,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
    };
    const { failure } = request;
    if (failure === null) log.info(line);
    else if (reply.statusCode >= 500) log.error({ ...line, code: failure.code, err: failure.cause ?? failure });
    else log.info({ ...line, code: failure.code });
    done();
  });
}
