import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entries, isObject, items, type Json, type JsonObject, member, resolve } from '../src/contract/document.ts';
import { int64, printJson } from '../src/json.ts';
import { document } from './contract/edited.ts';
import { type Service, startService } from './service.ts';

// Requests made from the document's own schemas. The harness holds every reply against the document as well: status,
// headers, body. So each of these properties also says "no undocumented reply".

const { root } = document;

/** Values that a schema of the document takes; an int64 is a bigint. */
function right(schema: Json | undefined): fc.Arbitrary<unknown> {
  const {
    type,
    format,
    enum: values,
    minLength = 0,
    maxLength = 50,
    minimum,
    maximum,
    properties,
    required,
  } = { ...Object(resolve(root, schema)), ...Object(schema) };
  if (values !== undefined) return fc.constantFrom(...items(values));
  if (format === 'int64')
    return fc.oneof(fc.bigInt(int64), fc.constantFrom(int64.min, int64.max, 0n, -1n, 2n ** 53n + 1n));
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'string')
    return fc
      .string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 255), size: 'max' })
      .filter((text) => !text.includes('\0'));
  if (type === 'object') {
    const known = Object.fromEntries(entries(properties).map(([name, inner]) => [name, right(inner)]));
    return fc.record(known, { requiredKeys: items(required).map(String) });
  }
  throw new Error(`no values are made for ${JSON.stringify(schema)}`);
}

/** Values that a schema does not take. */
function wrong(schema: Json | undefined): fc.Arbitrary<unknown> {
  const {
    type,
    format,
    enum: values,
    maxLength = 50,
    properties,
    required,
  } = { ...Object(resolve(root, schema)), ...Object(schema) };
  const others = fc.constantFrom<unknown>(null, true, [], {}, [1], { a: 1 });
  if (values !== undefined)
    return fc.oneof(
      others,
      fc.integer(),
      fc.string().filter((text) => !items(values).includes(text)),
    );
  if (format === 'int64')
    return fc.oneof(
      others,
      fc.string(),
      fc.bigInt({ min: int64.max + 1n }),
      fc.bigInt({ max: int64.min - 1n }),
      fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
    );
  if (type === 'string')
    return fc.oneof(others, fc.integer(), fc.constantFrom('', 'a\0', '\ud800', 'x'.repeat(Number(maxLength) + 1)));
  if (type === 'object') {
    const spoilt = entries(properties).map(([name, inner]) =>
      fc.tuple(right(schema), wrong(inner)).map(([value, bad]) => ({ ...Object(value), [name]: bad })),
    );
    const lacking = items(required).map((name) =>
      right(schema).map((value) => Object.fromEntries(Object.entries(Object(value)).filter(([key]) => key !== name))),
    );
    return fc.oneof(others, fc.string(), ...spoilt, ...lacking);
  }
  throw new Error(`no values are made against ${JSON.stringify(schema)}`);
}

const newPet = member(member(member(root, 'components'), 'schemas'), 'NewPet');

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const stored = async () =>
  (await service.database.query<{ pets: number }>('select count(*)::int as pets from pets'))[0]?.pets ?? 0;
const create = (body: unknown) =>
  service.ask('POST', '/v1/pets', {
    key,
    body: Buffer.from(printJson(body)),
    headers: { 'content-type': 'application/json' },
  });
const runs = { numRuns: 150 };

describe('for every', () => {
  test('animal that the schema takes, what comes back is what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(right(newPet), async (pet) => {
        const sent: { name: string; categoryId: bigint; status?: string } = Object(pet);
        const reply = await create(sent);
        expect(reply.status).toBe(201);
        const { id } = Object(reply.json);
        const expected = printJson({
          id,
          name: sent.name,
          categoryId: sent.categoryId,
          status: sent.status ?? 'available',
        });
        expect(normal(reply.text)).toBe(normal(expected));
        expect((await service.ask('GET', reply.headers.get('location') ?? '', { key })).text).toBe(reply.text);
      }),
      runs,
    );
  });

  test('body that the schema does not take, 400 and nothing is stored', async () => {
    const before = await stored();
    await fc.assert(
      fc.asyncProperty(wrong(newPet), async (body) => {
        expect((await create(body)).status).toBe(400);
      }),
      runs,
    );
    expect(await stored()).toBe(before);
  });

  test('JSON at all, 201 or 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (any, value) => {
        for (const body of [
          any,
          { name: value, categoryId: 5 },
          { name: 'Rex', categoryId: value },
          { name: 'Rex', categoryId: 5, status: value, x: any },
        ])
          expect([201, 400]).toContain((await create(body)).status);
      }),
      { numRuns: 50 },
    );
  });

  test('bytes at all, 400 or, by chance, 201', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (body) => {
        const reply = await service.ask('POST', '/v1/pets', {
          key,
          body,
          headers: { 'content-type': 'application/json' },
        });
        expect([201, 400]).toContain(reply.status);
      }),
      { numRuns: 100 },
    );
  });

  test('page that the parameters take, no more animals than asked for, in order, and of that status', async () => {
    const parameters = items(member(member(member(member(root, 'paths'), '/pets'), 'get'), 'parameters')).filter(
      isObject,
    ) as JsonObject[];
    const given = (name: string) =>
      right(
        member(
          parameters.find((parameter) => parameter['name'] === name),
          'schema',
        ),
      );
    await fc.assert(
      fc.asyncProperty(fc.option(given('limit')), fc.option(given('status')), async (limit, status) => {
        const query = new URLSearchParams(
          Object.entries({ limit, status }).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
        );
        const reply = await service.ask('GET', `/v1/pets?${query}`, { key });
        expect(reply.status).toBe(200);
        const pets = reply.json as { id: number; status: string }[];
        expect(pets.length).toBeLessThanOrEqual(Number(limit ?? 20));
        expect(pets.map(({ id }) => id)).toEqual(pets.map(({ id }) => id).sort((a, b) => a - b));
        if (status !== null) expect(pets.every((pet) => pet.status === status)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('text as a parameter, an answer that the document knows, below 500', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.constantFrom('', '00', '-0', '1e1', '\0'),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('limit', 'status', 'cursor', 'other'), async (value, name) => {
        const encoded = encodeURIComponent(value.toWellFormed());
        const page = await service.ask('GET', `/v1/pets?${name}=${encoded}`, { key });
        expect([200, 400]).toContain(page.status);
        // An empty segment, or one of dots, is another path.
        if (/^\.{0,2}$/.test(value)) return;
        expect([200, 400, 404]).toContain((await service.ask('GET', `/v1/pets/${encoded}`, { key })).status);
      }),
      { numRuns: 100 },
    );
  });
});

/** Two JSON texts that say the same may differ in escapes, not in digits: those are kept as texts. */
function normal(json: string): string {
  return JSON.stringify(JSON.parse(json.replaceAll(/"(id|categoryId)":(-?\d+)/g, '"$1":"$2"')));
}
