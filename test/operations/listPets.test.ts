import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeCursor } from '../../src/cursor.ts';
import { type Service, startService } from '../service.ts';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

/** Stores `count` animals, whose statuses take turns. */
const store = async (count: number) => {
  await service.database.query(
    `insert into pets (name, category_id, status)
     select 'Rex ' || n, n, (array['available', 'pending', 'sold'])[1 + n % 3] from generate_series(1, $1::int) as n`,
    [count],
  );
};
const empty = () => service.database.query('truncate pets restart identity');

const page = async (target: string) => {
  const reply = await service.ask('GET', target, { key });
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get('link') ?? '') ?? [];
  expect(reply.status).toBe(200);
  expect(reply.headers.has('link')).toBe(next !== undefined);
  return { pets: reply.json as Pet[], next, text: reply.text };
};

/** All pages from `target` on; `between` happens before each further one. */
const walk = async (target: string, between: () => Promise<unknown> = async () => {}) => {
  const pages = [await page(target)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    await between();
    pages.push(await page(next));
  }
  return pages;
};

describe('listPets', () => {
  test('is an empty array where there are no animals', async () => {
    await empty();
    expect(await page('/v1/pets')).toEqual({ pets: [], next: undefined, text: '[]' });
  });

  test('shows 20 animals, oldest first, where no limit is given', async () => {
    await empty();
    await store(30);
    const { pets, next } = await page('/v1/pets');
    expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new URL(next ?? '', service.url).searchParams.get('limit')).toBe('20');
  });

  test('shows an animal just as getPet does', async () => {
    await empty();
    await store(1);
    expect((await page('/v1/pets')).text).toBe(`[${(await service.ask('GET', '/v1/pets/1', { key })).text}]`);
  });

  test.each(['available', 'pending', 'sold'])('shows the animals that are %s', async (status) => {
    await empty();
    await store(9);
    const { pets } = await page(`/v1/pets?status=${status}`);
    expect(pets).toHaveLength(3);
    expect(pets.every((pet) => pet.status === status)).toBe(true);
  });

  test.each([
    [1, 1, [1]],
    [3, 3, [3]],
    [4, 3, [3, 1]],
    [6, 3, [3, 3]],
    [7, 3, [3, 3, 1]],
    [100, 100, [100]],
    [101, 100, [100, 1]],
    [5, 1, [1, 1, 1, 1, 1]],
  ])('%i animals in pages of %i are %j, and only the last page has no link', async (count, limit, sizes) => {
    await empty();
    await store(count);
    const pages = await walk(`/v1/pets?limit=${limit}`);
    expect(pages.map(({ pets }) => pets.length)).toEqual(sizes);
    expect(pages.flatMap(({ pets }) => pets.map(({ id }) => id))).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });

  test('a link keeps limit and status, and nothing else', async () => {
    await empty();
    await store(30);
    const { next } = await page('/v1/pets?status=sold&limit=4&other=1');
    expect(next).toMatch(/^\/v1\/pets\?/);
    expect([...new URL(next ?? '', service.url).searchParams].sort()).toEqual([
      ['cursor', expect.any(String)],
      ['limit', '4'],
      ['status', 'sold'],
    ]);
    expect((await page(next ?? '')).pets.every(({ status }) => status === 'sold')).toBe(true);
  });

  test('a cursor may be used with another limit and another status', async () => {
    await empty();
    await store(30);
    const cursor = new URL((await page('/v1/pets?limit=10')).next ?? '', service.url).searchParams.get('cursor');
    expect((await page(`/v1/pets?limit=100&cursor=${cursor}`)).pets.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 11),
    );
    expect((await page(`/v1/pets?status=pending&limit=2&cursor=${cursor}`)).pets.map(({ id }) => id)).toEqual([13, 16]);
  });

  test('a cursor stays good when its animal is gone', async () => {
    await empty();
    await store(6);
    const { next } = await page('/v1/pets?limit=3');
    await service.database.query('delete from pets where id in (3, 4)');
    expect((await page(next ?? '')).pets.map(({ id }) => id)).toEqual([5, 6]);
  });

  test.each([
    ['not ours', 'x'],
    ['cut off', writeCursor(5n).slice(0, -1)],
    ['longer', `${writeCursor(5n)}A`],
    ['an id', '5'],
    ['one letter off', writeCursor(5n).replace('U', 'V')],
    ['in the other alphabet', '++++++++++++++//'],
  ])('400 for a cursor that is %s', async (_, cursor) => {
    expect(cursor).not.toBe(writeCursor(5n));
    const reply = await service.ask('GET', `/v1/pets?cursor=${encodeURIComponent(cursor)}`, { key });
    expect(reply.json).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('query/cursor') });
  });

  test('a walk meets each animal once that was there when it began, while others are stored', async () => {
    await empty();
    await store(60);
    const stored: Promise<unknown>[] = [];
    const pages = await walk('/v1/pets?limit=7', async () => {
      // Not awaited: they become part of the table while the next page is read.
      for (let i = 0; i < 5 && stored.length < 60; i++)
        stored.push(service.ask('POST', '/v1/pets', { key, body: { name: 'New', categoryId: 1 } }));
    });
    await Promise.all(stored);
    const ids = pages.flatMap(({ pets }) => pets.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(stored.length).toBeGreaterThan(0);
  });

  test('many at once get what they asked for, each its own', async () => {
    await empty();
    await store(100);
    const questions = Array.from({ length: 60 }, (_, index) => ({
      limit: 1 + (index % 20),
      after: index % 7,
      status: ['available', 'pending', 'sold', null][index % 4],
    }));
    const answers = await Promise.all(
      questions.map(({ limit, after, status }) =>
        page(
          `/v1/pets?limit=${limit}&cursor=${writeCursor(BigInt(after))}${status == null ? '' : `&status=${status}`}`,
        ),
      ),
    );
    const all = (await page('/v1/pets?limit=100')).pets;
    for (const [index, { limit, after, status }] of questions.entries())
      expect(answers[index]?.pets).toEqual(
        all.filter((pet) => pet.id > after && (status == null || pet.status === status)).slice(0, limit),
      );
  });

  test('ids at both ends of int64 are listed, digit for digit', async () => {
    await empty();
    await service.database.query(
      `insert into pets (id, name, category_id, status) overriding system value
       values (-9223372036854775807, 'First', 1, 'sold'), (9007199254740993, 'Middle', 1, 'sold'), (9223372036854775807, 'Last', 1, 'sold')`,
    );
    const pages = await walk('/v1/pets?limit=1');
    expect(pages.map(({ text }) => /"id":(-?\d+)/.exec(text)?.[1])).toEqual([
      '-9223372036854775807',
      '9007199254740993',
      '9223372036854775807',
    ]);
  });
});
