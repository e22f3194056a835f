import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handlers } from '../../generated/handlers.ts';
import { type Contract, readContract } from '../../src/contract/contract.ts';
import { parseText, readDocument } from '../../src/contract/document.ts';
import { buildServer } from '../../src/http/server.ts';
import { openOperatorStore } from '../../src/store/operator.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { withDeletePet } from '../deletePet.ts';
import { replyChecker } from '../replies.ts';
import { newKey } from '../service.ts';

const yaml = readDocument(new URL('../../openapi.yaml', import.meta.url)).yaml;
const removal = withDeletePet(yaml, { implemented: false });
const contract = readContract(parseText(removal));
/** A success with a body, and an example of it. */
const showing = readContract(
  parseText(
    removal.replace(
      "        '204':\n          description: The animal is gone.\n",
      "        '200':\n          description: The animal as it was.\n          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}, examples: {rex: {value: {id: 1, name: Rex, categoryId: 5, status: sold}}}}}\n",
    ),
  ),
);

let database: Database;
let store: Store;
let key: string;

beforeAll(async () => {
  database = await cloneDatabase();
  const { plans, ban } = contract.limits;
  store = openStore(database.url, { plans, banDurations: ban.durations, cleanPeriod: ban.cleanPeriod });
  const operator = openOperatorStore(database.url);
  ({ key } = await newKey(operator));
  await operator.close();
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const log = { logger: pino({ level: 'silent' }), lines: { write: () => {} } };
const noHandler = { ...handlers, deletePet: null };
const server = (of: Contract, mocks: boolean, has: typeof handlers = noHandler) =>
  buildServer({ contract: of, handlers: has, store, log, trustProxy: [], mocks });

async function ask(from: FastifyInstance, headers: Record<string, string> = { authorization: `Bearer ${key}` }) {
  const { statusCode, headers: received, body } = await from.inject({ method: 'DELETE', url: '/v1/pets/1', headers });
  const all = new Headers(Object.entries(received).map(([name, value]): [string, string] => [name, String(value)]));
  return { status: statusCode, headers: all, text: body };
}

describe('an operation that is x-not-implemented', () => {
  test('is 501 in the Error body, as documented; the key is asked for first', async () => {
    const plain = await server(contract, false);
    const checker = replyChecker(contract);
    const reply = await ask(plain);
    checker.check('DELETE', '/v1/pets/1', reply);
    expect(JSON.parse(reply.text)).toEqual({
      code: 'not_implemented',
      message: 'deletePet is promised, but not implemented yet.',
      status: 501,
    });
    const refused = await ask(plain, {});
    checker.check('DELETE', '/v1/pets/1', refused);
    expect(refused.status).toBe(401);
    expect(reply.headers.has('x-mock')).toBe(false);
  });

  test('is a success without a body in mock mode, marked', async () => {
    const reply = await ask(await server(contract, true));
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers.get('x-mock')).toBe('true');
    expect(reply.headers.get('x-ratelimit-limit')).not.toBeNull();
  });

  test('is the example of the document in mock mode, marked', async () => {
    const reply = await ask(await server(showing, true));
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toEqual({ id: 1, name: 'Rex', categoryId: 5, status: 'sold' });
    expect(reply.headers.get('x-mock')).toBe('true');
    expect((await ask(await server(showing, false))).status).toBe(501);
  });

  test('is refused at boot where it has a handler after all', async () => {
    const has = { ...handlers, deletePet: handlers.getPet };
    await expect(server(contract, false, has)).rejects.toThrow(
      'deletePet has a handler: remove x-not-implemented from it in openapi.yaml',
    );
  });
});
