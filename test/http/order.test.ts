import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, parseText, resolve } from '../../src/contract/document.ts';
import { type Asked, type Service, startService } from '../service.ts';

const afterTheEnd = '2030-12-05T12:00:00Z';
const tooLong = JSON.stringify({ name: 'x'.repeat(70_000) });

let service: Service;
let good: string;
let exhausted: string;
let revoked: string;

beforeAll(async () => {
  service = await startService({ edit: deprecateCreatePet });
  ({ key: good } = await service.newKey());
  ({ key: exhausted } = await service.newKey({ plan: 'enterprise', custom: { perMinute: 1, perDay: 1 } }));
  await service.ask('GET', '/v1/pets', { key: exhausted });
  // Revoked and its project exhausted: refused for either reason.
  const unlucky = await service.newKey({ plan: 'enterprise', custom: { perMinute: 1, perDay: 1 } });
  await service.ask('GET', '/v1/pets', { key: unlucky.key });
  await service.operator.keys.revoke({ id: unlucky.stored.id });
  revoked = unlucky.key;
});
afterAll(() => service.close());

interface Request extends Asked {
  readonly method: string;
  readonly path: string;
  /** Whether it comes after the operation's removal. */
  readonly late?: boolean;
}

/** In the order of INTERFACE: what makes a request fail at each step, and how. */
const steps: readonly { status: number; spoil: (request: Request) => Request }[] = [
  { status: 404, spoil: (request) => ({ ...request, path: '/v1/animals' }) },
  { status: 405, spoil: (request) => ({ ...request, method: 'PUT' }) },
  { status: 401, spoil: (request) => ({ ...request, key: revoked }) },
  { status: 429, spoil: (request) => ({ ...request, key: request.key === revoked ? revoked : exhausted }) },
  { status: 410, spoil: (request) => ({ ...request, late: true }) },
  { status: 415, spoil: (request) => ({ ...request, headers: { 'content-type': 'text/plain' } }) },
  { status: 413, spoil: (request) => ({ ...request, body: tooLong }) },
  { status: 400, spoil: (request) => ({ ...request, body: request.body === tooLong ? tooLong : '{' }) },
];

async function ask(spoilt: (request: Request) => Request): Promise<number> {
  const {
    method,
    path,
    late = false,
    ...asked
  } = spoilt({ method: 'POST', path: '/v1/pets', key: good, body: { name: 'Rex', categoryId: 5 } });
  service.setClock(late ? afterTheEnd : new Date().toISOString());
  return (await service.ask(method, path, asked)).status;
}

test('nothing spoilt: 201', async () => {
  expect(await ask((request) => request)).toBe(201);
});

test.each(steps)('one step spoilt: $status', async ({ status, spoil }) => {
  expect(await ask(spoil)).toBe(status);
});

const pairs = steps.flatMap((first, index) => steps.slice(index + 1).map((second) => ({ first, second })));

test.each(pairs)('$first.status comes before $second.status', async ({ first, second }) => {
  expect(await ask((request) => second.spoil(first.spoil(request)))).toBe(first.status);
});

/** No operation of the document is both deprecated and has a body; here createPet ends as getPet does. */
function deprecateCreatePet(yaml: string): string {
  const { root } = parseText(yaml);
  const copy = structuredClone(root) as JsonObject & { paths: Record<string, Record<string, Record<string, Json>>> };
  const getPet = copy.paths['/pets/{petId}']?.['get'];
  const createPet = copy.paths['/pets']?.['post'];
  if (getPet === undefined || createPet === undefined) throw new Error('the document has changed');
  const responses: Record<string, Json> = {};
  for (const [status, entry] of Object.entries(createPet['responses'] as JsonObject)) {
    const response = resolve(root, entry);
    const headers = isObject(response) && isObject(response['headers']) ? response['headers'] : {};
    const more = Object.fromEntries(
      ['Deprecation', 'Sunset', 'Link'].map((name) => [
        name,
        { $ref: `#/components/headers/${name === 'Link' ? 'SuccessorLink' : name}` },
      ]),
    );
    responses[status] =
      status === '408' || status === '431' ? entry : { ...Object(response), headers: { ...headers, ...more } };
  }
  responses['410'] = Object(getPet['responses'])['410'];
  const end = Object.entries(getPet).filter(([name]) => /^(deprecated|x-.*)$/.test(name));
  Object.assign(createPet, Object.fromEntries(end), { responses });
  return JSON.stringify(copy);
}
