/**
 * What a team gets that follows the documentation of each library: fastify with its logger, fastify-openapi-glue,
 * @fastify/rate-limit in memory, a plain `pg` pool, and a key looked up by its SHA-256 with every request.
 */

import { createHash } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import pg from 'pg';

// pg hands out int8 as text unless told otherwise; its documentation shows this line.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const columns = 'id, name, category_id as "categoryId", status';

const service = {
  async listPets(request: FastifyRequest<{ Querystring: { limit: number; status?: string } }>) {
    const { limit, status } = request.query;
    const found =
      status === undefined
        ? await pool.query(`select ${columns} from pets order by id limit $1`, [limit])
        : await pool.query(`select ${columns} from pets where status = $2 order by id limit $1`, [limit, status]);
    return found.rows;
  },

  async getPet(request: FastifyRequest<{ Params: { petId: number } }>, reply: FastifyReply) {
    const found = await pool.query(`select ${columns} from pets where id = $1`, [request.params.petId]);
    if (found.rowCount === 0)
      return reply.code(404).send({ code: 'not_found', message: 'No such animal.', status: 404 });
    return found.rows[0];
  },

  async createPet(
    request: FastifyRequest<{ Body: { name: string; categoryId: number; status: string } }>,
    reply: FastifyReply,
  ) {
    const { name, categoryId, status } = request.body;
    const stored = await pool.query(
      `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${columns}`,
      [name, categoryId, status],
    );
    return reply.code(201).send(stored.rows[0]);
  },
};

const security = {
  async apiKey(request: FastifyRequest) {
    const key = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const found = await pool.query('select name from api_keys where hash = $1', [
      createHash('sha256').update(key).digest(),
    ]);
    if (found.rowCount === 0) throw new Error('This API key is not valid.');
  },
};

// `strict: false` is what glue's documentation says for OpenAPI's own keywords.
const fastify = Fastify({ logger: true, ajv: { customOptions: { strict: false } } });
await fastify.register(rateLimit, {
  max: 1_000_000_000,
  timeWindow: '1 minute',
  keyGenerator: (request) => request.headers.authorization ?? request.ip,
});
await fastify.register(openapiGlue, {
  specification: new URL('../../openapi.yaml', import.meta.url).pathname,
  serviceHandlers: service,
  securityHandlers: security,
  prefix: 'v1',
});
console.error(await fastify.listen({ host: '127.0.0.1', port: 0 }));
