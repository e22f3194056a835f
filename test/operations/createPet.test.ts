import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const create = (body: unknown, headers = {}) => service.ask('POST', '/v1/pets', { key, body, headers });

describe('createPet', () => {
  test('201 with the stored animal and its place', async () => {
    const reply = await create({ name: 'Rex', categoryId: 5, status: 'pending' });
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({ name: 'Rex', categoryId: 5, status: 'pending' });
    const place = reply.headers.get('location') ?? '';
    expect((await service.ask('GET', place, { key })).text).toBe(reply.text);
  });

  test('a status left out is stored as available', async () => {
    expect((await create({ name: 'Rex', categoryId: 5 })).json).toMatchObject({ status: 'available' });
  });

  test.each(['-9223372036854775808', '9223372036854775807', '9007199254740993', '0'])(
    'categoryId %s comes back digit for digit',
    async (digits) => {
      const reply = await create(`{"name":"Rex","categoryId":${digits}}`);
      expect(reply.status).toBe(201);
      expect(reply.text).toContain(`"categoryId":${digits},`);
    },
  );

  test.each([
    ['5.0', '5'],
    ['5e0', '5'],
    ['1e3', '1000'],
    ['-0', '0'],
    ['0.05e2', '5'],
    ['92233720368547758070e-1', '9223372036854775807'],
  ])('categoryId %s is the integer %s', async (literal, digits) => {
    const reply = await create(`{"name":"Rex","categoryId":${literal}}`);
    expect(reply.status).toBe(201);
    expect(reply.text).toContain(`"categoryId":${digits},`);
  });

  test.each([
    'a "quoted" one',
    'back\\slash',
    '\\',
    '"',
    'Rex","Bella',
    '{Rex}',
    '}',
    '{"n" : "Rex"}',
    'NULL',
    ' Rex ',
    'Rex\nBella',
    "O'Hara",
  ])('the name %j comes back as it was sent, beside others', async (name) => {
    const names = [name, 'Rex', name];
    const replies = await Promise.all(names.map((one) => create({ name: one, categoryId: 5 })));
    expect(replies.map(({ json }) => Object(json).name)).toEqual(names);
  });

  test.each([
    '9223372036854775808',
    '-9223372036854775809',
    '5.5',
    '1e400',
    '1e19',
    '5.00000000000000000001',
    '0.99999999999999999999',
    '"5"',
    'null',
    'true',
    '[5]',
  ])('400 for categoryId %s', async (literal) => {
    const reply = await create(`{"name":"Rex","categoryId":${literal}}`);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('body/categoryId') });
  });
});
