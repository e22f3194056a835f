import type { FastifyInstance } from 'fastify';
import { unavailable } from '../failure.ts';
import type { Store } from '../store/store.ts';

/** `/livez`: the process serves. `/readyz`: PostgreSQL answers and has the schema. */
export function serveHealth(server: FastifyInstance, store: Store): void {
  server.get('/livez', () => ({ status: 'ok' }));
  server.get('/readyz', async () => {
    const trouble = await store.health.trouble();
    if (trouble !== null) throw unavailable(trouble);
    return { status: 'ok' };
  });
}
