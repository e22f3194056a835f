import type { FastifyInstance } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import type { Failure } from '../failure.ts';

/** The log, and where its lines go. */
export interface Log {
  readonly logger: Logger;
  readonly lines: DestinationStream;
}

/** What is told of a request. It holds ids, never a key, a body or an address's query. */
export interface Told {
  readonly requestId: string;
  /** Null where not even that could be read. */
  readonly method: string | null;
  readonly operationId: string | null;
  readonly keyId: string | null;
  readonly status: number;
  /** Milliseconds from the request's headers to its answer. */
  readonly ms: number;
  readonly failure: Failure | null;
}

/**
 * One line for each request that was answered; the function that is returned tells of those that reach no hook.
 *
 * The line is pino's, put together here: all its parts are ids, words and numbers of our own, which need no escaping.
 * That takes 0.5 µs of a request's 30 where pino's way takes 3. What lies behind a 5xx goes through pino.
 */
export function logRequests(server: FastifyInstance, { logger, lines }: Log): (told: Told) => void {
  const wanted = logger.isLevelEnabled('info');
  // The lines of one round of the event loop go out together.
  let pending = '';
  const flush = (): void => {
    lines.write(pending);
    pending = '';
  };
  const tell = ({ requestId, method, operationId, keyId, status, ms, failure }: Told): void => {
    if (failure !== null && status >= 500 && failure.cause !== undefined) {
      logger.error({ requestId, method, operationId, keyId, status, ms, code: failure.code, err: failure.cause });
    } else if (wanted) {
      if (pending === '') setImmediate(flush);
      const code = failure === null ? '' : `,"code":"${failure.code}"`;
      pending += `{"level":30,"time":${Date.now()},"requestId":"${requestId}","method":${quote(method)},"operationId":${quote(operationId)},"keyId":${quote(keyId)},"status":${status},"ms":${ms}${code}}\n`;
    }
  };
  server.addHook('onSend', (request, reply, _body, done) => {
    const { id: requestId, method, operationId, keyId, failure } = request;
    const ms = Math.round((performance.now() - request.startedAt) * 100) / 100;
    tell({ requestId, method, operationId, keyId, status: reply.statusCode, ms, failure });
    done();
  });
  return tell;
}

function quote(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}
