import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  ApiError,
  type Client,
  contractHash,
  createClient,
  type Deprecation,
  type Input,
  type Reply,
  type Schemas,
  UnexpectedReply,
  unwrap,
} from '../../src/client/client.ts';
import { type Service, startService } from '../service.ts';

let service: Service;
let key: string;
let client: Client;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
  client = createClient({ baseUrl: service.url, key });
});
afterAll(() => service.close());

const edges = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 0n, 5n];

/** A server of its own mind. */
const stubs: Server[] = [];
async function stub(
  answer: (path: string, origin: string) => { status?: number; headers?: Record<string, string>; body?: unknown },
): Promise<Client> {
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body } = answer(request.url ?? '', `http://${request.headers.host}`);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  stubs.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'key', retry: false });
}
afterEach(() => {
  for (const server of stubs.splice(0)) server.close().closeAllConnections();
});

describe('an operation', () => {
  test.each(edges)('int64 %s is exact there and back', async (categoryId) => {
    const created = await client.createPet({ body: { name: 'Rex', categoryId } });
    if (created.status !== 201) throw new Error(created.body.message);
    expect(created.body).toEqual({ id: expect.any(BigInt), name: 'Rex', categoryId, status: 'available' });
    const got = await client.getPet({ petId: created.body.id });
    expect(unwrap(got)).toEqual(created.body);
    expect((await client.getPet({ petId: categoryId })).response.headers.get('x-request-id')).toBeTruthy();
  });

  test('an error that is documented is a reply; unwrap throws it', async () => {
    const reply = await client.getPet({ petId: 2n ** 62n });
    expect(reply).toMatchObject({ status: 404, ok: false, body: { code: 'not_found', status: 404 } });
    expect(() => unwrap(reply)).toThrow(ApiError);
    const stranger = createClient({ baseUrl: service.url, key: 'nobody' });
    const refused = await stranger
      .createPet({ body: { name: 'Rex', categoryId: 1n } })
      .then(unwrap)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      name: 'ApiError',
      code: 'invalid_api_key',
      status: 401,
      requestId: expect.any(String),
    });
    expect(await client.listPets({ limit: 1000 })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('over the quota: the 429, at once where the wait is longer than the call may take', async () => {
    const { key: once } = await service.newKey({ plan: 'enterprise', custom: { perMinute: 1000, perDay: 1 } });
    const limited = createClient({ baseUrl: service.url, key: once });
    expect((await limited.listPets()).status).toBe(200);
    expect(await limited.listPets()).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded' } });
  });

  test('any other reply is thrown', async () => {
    const elsewhere = createClient({ baseUrl: `${service.url}/other`, key });
    await expect(elsewhere.listPets()).rejects.toThrow(UnexpectedReply);
    for (const answer of [
      { status: 418, body: {} },
      { body: '<p>sign in</p>' },
      { body: '' },
      { status: 302, headers: { location: '/v1/pets' } },
    ]) {
      await expect((await stub(() => answer)).listPets()).rejects.toThrow(UnexpectedReply);
    }
  });

  test('the address may have a prefix, and may end in the base path', async () => {
    const asked: string[] = [];
    for (const baseUrl of [
      'https://a.test',
      'https://a.test/',
      'https://a.test/v1',
      'https://a.test/p/v1/?x#y',
      'https://a.test/p',
    ]) {
      const fetch = async ({ url }: Request) => {
        asked.push(url);
        return Response.json([]);
      };
      await createClient({ baseUrl, key: 'k', fetch }).listPets({ status: 'sold' });
    }
    expect(asked.map((url) => url.replace('https://a.test', ''))).toEqual([
      '/v1/pets?status=sold',
      '/v1/pets?status=sold',
      '/v1/pets?status=sold',
      '/p/v1/pets?status=sold',
      '/p/v1/pets?status=sold',
    ]);
    expect(() => createClient({ baseUrl: '/v1', key: 'k' })).toThrow(TypeError);
  });

  test('openapi-fetch is there too, as exact', async () => {
    const { data } = await client.http.POST('/pets', { body: { name: 'Rex', categoryId: edges[1] ?? 0n } });
    expect(data?.categoryId).toBe(edges[1]);
    const got = await client.http.GET('/pets/{petId}', { params: { path: { petId: data?.id ?? 0n } } });
    expect(got.data).toEqual(data);
    expect((await got.response.clone().text()).length).toBeGreaterThan(0);
    expect((await client.http.GET('/pets/{petId}', { params: { path: { petId: 1n << 62n } } })).error?.code).toBe(
      'not_found',
    );
  });
});

describe('each', () => {
  test('walks over all pages, once each, with the filter', async () => {
    const { key: own } = await service.newKey();
    const walker = createClient({ baseUrl: service.url, key: own });
    const created: bigint[] = [];
    for (let n = 0; n < 7; n++) {
      const status = n % 3 === 0 ? 'sold' : 'pending';
      created.push(unwrap(await walker.createPet({ body: { name: `${n}`, categoryId: BigInt(n), status } })).id);
    }
    const all: Schemas['Pet'][] = [];
    for await (const pet of walker.each.listPets({ limit: 2 })) all.push(pet);
    expect(all.map(({ id }) => id).filter((id) => created.includes(id))).toEqual(created);
    const sold: string[] = [];
    for await (const pet of walker.each.listPets({ limit: 1, status: 'sold' })) sold.push(pet.name);
    expect(sold.filter((name) => /^\d$/.test(name))).toEqual(['0', '3', '6']);
  });

  test('asks for a page only when it is wanted', async () => {
    let asked = 0;
    const one = await stub(() => {
      asked++;
      return { headers: { link: `</v1/pets?cursor=${asked}>; rel="next"` }, body: [{ id: 1 }, { id: 2 }] };
    });
    const seen: bigint[] = [];
    for await (const { id } of one.each.listPets()) if (seen.push(id) === 3) break;
    expect([seen, asked]).toEqual([[1n, 2n, 1n], 2]);
  });

  const walk = async (one: Client) => {
    for await (const _ of one.each.listPets());
  };

  test('leaves the key at home', async () => {
    const asked: string[] = [];
    const other = await stub((path, origin) => {
      asked.push(origin);
      return { body: path };
    });
    await other.http.GET('/pets', { parseAs: 'text' });
    const [origin] = asked;
    const evil = await stub(() => ({ headers: { link: `<${origin}/v1/pets>; rel="next"` }, body: [] }));
    await expect(walk(evil)).rejects.toThrow('the key must not go');
    const redirecting = await stub(() => ({ status: 307, headers: { location: `${origin}/v1/pets` } }));
    await expect(walk(redirecting)).rejects.toThrow(UnexpectedReply);
    expect(asked).toEqual([origin]);
  });

  test('ends where a page leads to itself', async () => {
    const round = await stub(() => ({ headers: { link: '</v1/pets>; rel="next"' }, body: [] }));
    await expect(walk(round)).rejects.toThrow('same page');
  });

  test('throws the error of a page; can be cancelled', async () => {
    const refusing = await stub((path) =>
      path.includes('cursor')
        ? { status: 400, body: { code: 'invalid_request', message: 'No.', status: 400 } }
        : { headers: { link: '<?cursor=x>; rel="next"' }, body: [{ id: 1 }] },
    );
    await expect(walk(refusing)).rejects.toMatchObject({ name: 'ApiError', status: 400 });
    const controller = new AbortController();
    const pets = refusing.each.listPets({}, { signal: controller.signal });
    await pets.next();
    controller.abort();
    await expect(pets.next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a deprecated operation', () => {
  test('is told once, with since, sunset and successor', async () => {
    const told: Deprecation[] = [];
    const watched = createClient({ baseUrl: service.url, key, onDeprecation: (deprecation) => told.push(deprecation) });
    await watched.listPets();
    await watched.getPet({ petId: 1n });
    await watched.getPet({ petId: 2n });
    expect(told).toEqual([
      {
        operation: 'getPet',
        since: new Date('2026-11-20'),
        sunset: new Date('2030-12-05'),
        successor: new URL('/v1/pets', service.url),
      },
    ]);
  });

  test('and once more when it is gone', async () => {
    const told: Deprecation[] = [];
    const watched = createClient({ baseUrl: service.url, key, onDeprecation: (deprecation) => told.push(deprecation) });
    service.setClock('2030-12-05T00:00:00Z');
    try {
      expect(await watched.getPet({ petId: 1n })).toMatchObject({ status: 410, body: { code: 'operation_removed' } });
    } finally {
      service.setClock(new Date().toISOString());
    }
    expect(told).toMatchObject([{ operation: 'getPet', since: null, sunset: new Date('2030-12-05') }]);
  });
});

describe('checkContract', () => {
  test('the server of the same document', async () => {
    expect(await client.checkContract()).toEqual({
      same: true,
      client: contractHash,
      server: service.contract.document.hash,
    });
  });

  test('the server of another', async () => {
    const other = await startService({ edit: (yaml) => yaml.replace('List all animals', 'List every animal') });
    try {
      const { same, server } = await createClient({ baseUrl: other.url, key: 'k' }).checkContract();
      expect([same, server]).toEqual([false, other.contract.document.hash]);
    } finally {
      await other.close();
    }
  });

  test('without an entity tag, or with one of something in between, the document itself is looked at', async () => {
    const { yaml } = service.contract.document;
    for (const headers of [{}, { etag: '"abc"' }, { etag: `W/"${contractHash}"` }])
      expect((await (await stub(() => ({ headers, body: yaml }))).checkContract()).same).toBe(true);
    expect((await (await stub(() => ({ body: `${yaml}\n` }))).checkContract()).same).toBe(false);
    await expect((await stub(() => ({ status: 404, body: {} }))).checkContract()).rejects.toThrow(UnexpectedReply);
  });
});

test('types', () => {
  type Pet = { id: bigint; name: string; categoryId: bigint; status: 'available' | 'pending' | 'sold' };
  expectTypeOf<Schemas['Pet']>().toEqualTypeOf<Pet>();
  expectTypeOf<Input<'getPet'>>().toEqualTypeOf<{ petId: bigint }>();
  expectTypeOf<Input<'listPets'>>().toEqualTypeOf<{ limit?: number; status?: Pet['status']; cursor?: string }>();
  expectTypeOf<Input<'createPet'>>().toEqualTypeOf<{
    body: { name: string; categoryId: bigint; status?: Pet['status'] };
  }>();
  expectTypeOf(client.listPets).parameter(0).toEqualTypeOf<Input<'listPets'> | undefined>();
  expectTypeOf(client.getPet).parameter(0).toEqualTypeOf<{ petId: bigint }>();
  expectTypeOf<Extract<Reply<'getPet'>, { status: 200 }>['body']>().toEqualTypeOf<Pet>();
  expectTypeOf<Extract<Reply<'getPet'>, { status: 404 }>['body']>().toEqualTypeOf<Schemas['Error']>();
  expectTypeOf<Reply<'getPet'>['status']>().toEqualTypeOf<200 | 400 | 401 | 404 | 408 | 410 | 429 | 431 | 500 | 503>();
  expectTypeOf<Extract<Reply<'createPet'>, { ok: true }>['status']>().toEqualTypeOf<201>();
  expectTypeOf(client.each).toHaveProperty('listPets');
  expectTypeOf<keyof typeof client.each>().toEqualTypeOf<'listPets'>();
  expectTypeOf(client.each.listPets()).toEqualTypeOf<AsyncGenerator<Pet, void, undefined>>();
  const narrowed = (reply: Reply<'getPet'>) => (reply.status === 200 ? reply.body.categoryId : reply.body.code);
  expectTypeOf(narrowed).returns.toEqualTypeOf<bigint | string>();
  const unwrapped = (reply: Reply<'getPet'>) => unwrap(reply);
  expectTypeOf(unwrapped).returns.toEqualTypeOf<Pet>();
  // @ts-expect-error an identifier is a bigint
  expectTypeOf(client.getPet).toBeCallableWith({ petId: 1 });
  // @ts-expect-error there is no operation of that name
  expectTypeOf(client.removePet);
});
