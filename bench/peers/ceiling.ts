/**
 * As fast as Fastify can be: the same JSON from memory, printed before the first request. No key, no limit, no
 * validation, no log, and after the start no database. Nothing that does the work can be faster on this framework.
 */

import Fastify from 'fastify';
import pg from 'pg';

type Animal = { id: number; name: string; categoryId: number; status: string };

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
const { rows } = await client.query<Animal>(
  'select id, name, category_id as "categoryId", status from pets order by id',
);
await client.end();

const one = new Map(rows.map((animal) => [String(animal.id), JSON.stringify(animal)]));
/** Every page that can be asked for, by status and limit. */
const pages = new Map<string | undefined, string[]>();
for (const status of [undefined, ...new Set(rows.map((animal) => animal.status))]) {
  const matching = rows.filter((animal) => status === undefined || animal.status === status).slice(0, 100);
  pages.set(
    status,
    Array.from({ length: 101 }, (_, limit) => JSON.stringify(matching.slice(0, limit))),
  );
}
let lastId = rows.length;

const fastify = Fastify();
const json = 'application/json; charset=utf-8';
fastify.get<{ Querystring: { limit: number; status?: string } }>('/v1/pets', (request, reply) => {
  reply.type(json).send(pages.get(request.query.status)?.[request.query.limit]);
});
fastify.get<{ Params: { petId: string } }>('/v1/pets/:petId', (request, reply) => {
  reply.type(json).send(one.get(request.params.petId));
});
fastify.post<{ Body: Omit<Animal, 'id'> }>('/v1/pets', (request, reply) => {
  const { name, categoryId, status } = request.body;
  reply
    .code(201)
    .type(json)
    .send(JSON.stringify({ id: ++lastId, name, categoryId, status }));
});
console.error(await fastify.listen({ host: '127.0.0.1', port: 0 }));
