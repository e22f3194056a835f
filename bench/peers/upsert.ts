/**
 * The baseline with limits that hold over several instances, as rate-limiter-flexible's documentation shows them for
 * PostgreSQL: an upsert per request and window. The minute and the day are asked at once, each on a connection of the
 * pool; both are charged even when one refuses.
 */

import { createHash } from 'node:crypto';
import Fastify, { type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const columns = 'id, name, category_id as "categoryId", status';

/** A limiter whose table is there. */
const limiter = (tableName: string, duration: number): Promise<RateLimiterPostgres> =>
  new Promise((resolve, reject) => {
    const made: RateLimiterPostgres = new RateLimiterPostgres(
      { storeClient: pool, tableName, points: 1_000_000_000, duration },
      (error?: Error) => (error ? reject(error) : resolve(made)),
    );
  });
const minute = await limiter('limit_minute', 60);
const day = await limiter('limit_day', 86_400);

const service = {
  async listPets(request: FastifyRequest<{ Querystring: { limit: number } }>) {
    const found = await pool.query(`select ${columns} from pets order by id limit $1`, [request.query.limit]);
    return found.rows;
  },
};

const security = {
  async apiKey(request: FastifyRequest) {
    const key = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const hash = createHash('sha256').update(key).digest();
    const found = await pool.query('select name from api_keys where hash = $1', [hash]);
    if (found.rowCount === 0) throw new Error('This API key is not valid.');
    const project = hash.toString('base64url');
    await Promise.all([minute.consume(project), day.consume(project)]);
  },
};

const fastify = Fastify({ logger: true, ajv: { customOptions: { strict: false } } });
await fastify.register(openapiGlue, {
  specification: new URL('../../openapi.yaml', import.meta.url).pathname,
  serviceHandlers: service,
  securityHandlers: security,
  prefix: 'v1',
});
console.error(await fastify.listen({ host: '127.0.0.1', port: 0 }));
