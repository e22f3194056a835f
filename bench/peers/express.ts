/**
 * The same with Express: express-openapi-validator, express-rate-limit in memory, a plain `pg` pool, a key looked up
 * by its SHA-256. It writes no request log, as Express has none of its own.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Request } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { rateLimit } from 'express-rate-limit';
import pg from 'pg';
import { parse } from 'yaml';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const columns = 'id, name, category_id as "categoryId", status';

const isKnown = async (request: Request): Promise<boolean> => {
  const key = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const found = await pool.query('select name from api_keys where hash = $1', [
    createHash('sha256').update(key).digest(),
  ]);
  return found.rowCount === 1;
};

// The validator does not fill in a whole origin from a server variable, so it is told the path alone.
const document = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
document.servers = [{ url: '/v1' }];

const app = express();
app.use(express.json());
app.use(
  rateLimit({
    windowMs: 60_000,
    limit: 1_000_000_000,
    keyGenerator: (request) => request.headers.authorization ?? 'nobody',
  }),
);
app.use(
  OpenApiValidator.middleware({
    apiSpec: document,
    validateRequests: true,
    validateSecurity: { handlers: { apiKey: isKnown } },
  }),
);

app.get('/v1/pets', async (request, response) => {
  const { limit, status } = request.query;
  const found =
    status === undefined
      ? await pool.query(`select ${columns} from pets order by id limit $1`, [limit])
      : await pool.query(`select ${columns} from pets where status = $2 order by id limit $1`, [limit, status]);
  response.json(found.rows);
});

app.get('/v1/pets/:petId', async (request, response) => {
  const found = await pool.query(`select ${columns} from pets where id = $1`, [request.params.petId]);
  if (found.rowCount === 0) response.status(404).json({ code: 'not_found', message: 'No such animal.', status: 404 });
  else response.json(found.rows[0]);
});

app.post('/v1/pets', async (request, response) => {
  const { name, categoryId, status } = request.body;
  const stored = await pool.query(
    `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${columns}`,
    [name, categoryId, status],
  );
  response.status(201).json(stored.rows[0]);
});

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  const status: number = error.status ?? 500;
  response.status(status).json({ code: 'error', message: error.message, status });
};
app.use(onError);

const server = app.listen(0, '127.0.0.1', () => {
  console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
