import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const get = (id: string) => service.ask('GET', `/v1/pets/${id}`, { key });

describe('getPet', () => {
  test('200 with the animal that createPet answered', async () => {
    const created = await service.ask('POST', '/v1/pets', {
      key,
      body: { name: 'Rex', categoryId: 5, status: 'sold' },
    });
    const reply = await service.ask('GET', created.headers.get('location') ?? '', { key });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(created.text);
  });

  test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])(
    'the identifier %s is exact',
    async (id) => {
      expect((await get(id)).status).toBe(404);
      await service.database.query(
        `insert into pets (id, name, category_id, status) overriding system value values ($1, 'Rex', $1, 'sold')`,
        [id],
      );
      const reply = await get(id);
      expect(reply.status).toBe(200);
      expect(reply.text).toContain(`"id":${id},`);
      expect(reply.text).toContain(`"categoryId":${id},`);
    },
  );

  test('404 when there is no such animal, which names it', async () => {
    expect((await get('4711')).json).toEqual({
      code: 'not_found',
      message: expect.stringContaining('4711'),
      status: 404,
    });
  });

  test('many at once get each its own animal, or 404', async () => {
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        service.ask('POST', '/v1/pets', { key, body: { name: `Rex ${index}`, categoryId: index } }),
      ),
    );
    const ids = created.map(({ json }) => String(Object(json).id));
    const answers = await Promise.all([...ids, ...ids.map((id) => `${id}000`)].map((id) => get(id)));
    expect(answers.slice(0, 40).map(({ text }) => text)).toEqual(created.map(({ text }) => text));
    expect(answers.slice(40).every(({ status }) => status === 404)).toBe(true);
  });
});
