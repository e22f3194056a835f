import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient, type RetryPolicy } from '../../src/client/client.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const error = (status: number, code: string, headers = {}) =>
  Response.json({ code, message: 'No.', status }, { status, headers });
const busy = (headers = {}) => error(503, 'service_unavailable', headers);
const limited = (headers = {}) => error(429, 'rate_limit_exceeded', headers);
const banned = (seconds: number) => error(429, 'api_key_banned', { 'retry-after': `${seconds}` });
const pets = () => Response.json([]);
const lost = () => new TypeError('fetch failed');

/** A client of a server that gives `answers` in turn; `at` has the milliseconds at which each was asked for. */
function client(
  answers: readonly (() => Response | Promise<Response> | Error)[],
  retry?: Partial<RetryPolicy> | false,
) {
  const at: number[] = [];
  const asked: Request[] = [];
  const started = Date.now();
  const made = createClient({
    baseUrl: 'https://api.test',
    key: 'key',
    ...(retry !== undefined && { retry }),
    fetch: async (request) => {
      at.push(Date.now() - started);
      asked.push(request);
      const answer = answers[at.length - 1]?.();
      if (answer === undefined) throw new Error('asked too often');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { ...made, at, asked };
}

/** The outcome of `promise` with all the time it wants. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await vi.runAllTimersAsync();
  return promise;
}

const pet = { body: { name: 'Rex', categoryId: 2n ** 60n + 1n } };

describe('retries', () => {
  test('back off exponentially, with jitter, up to the cap', async () => {
    const { listPets, at } = client([busy, lost, busy, lost, pets], { attempts: 5, base: 1000, cap: 3000 });
    expect((await settle(listPets())).status).toBe(200);
    expect(at).toEqual([0, 500, 1500, 3000, 4500]);
  });

  test('end with the last reply, or what was thrown last', async () => {
    const { listPets, at } = client([busy, busy, busy, busy]);
    expect(await settle(listPets())).toMatchObject({ status: 503, ok: false, body: { code: 'service_unavailable' } });
    expect(at).toHaveLength(4);
    await expect(settle(client([lost, lost], { attempts: 2 }).listPets())).rejects.toThrow('fetch failed');
  });

  test.each([
    ['seconds', () => limited({ 'retry-after': '7' }), 7000],
    [
      'a date by the server’s clock',
      () => limited({ 'retry-after': 'Wed, 01 Jan 2020 00:00:09 GMT', date: 'Wed, 01 Jan 2020 00:00:00 GMT' }),
      9000,
    ],
    ['a date that is past', () => limited({ 'retry-after': 'Wed, 01 Jan 2020 00:00:09 GMT' }), 0],
    [
      'a date without a clock',
      () => limited({ 'retry-after': new Date(Math.ceil(Date.now() / 1000) * 1000 + 5000).toUTCString() }),
      5000,
    ],
    ['nonsense', () => limited({ 'retry-after': 'soon' }), 0],
  ])('wait for Retry-After: %s', async (_, answer, wait) => {
    vi.setSystemTime('2026-11-20T00:00:00Z');
    const { listPets, at } = client([answer, pets]);
    expect((await settle(listPets())).status).toBe(200);
    expect(at[1]).toBe(wait + 125);
  });

  test('do not wait for what lies past the time of a call', async () => {
    const { listPets, at } = client([() => limited({ 'retry-after': '86400' })]);
    expect((await settle(listPets())).status).toBe(429);
    expect(at).toEqual([0]);
  });

  test('of a create: after 429, with the same body, and nothing else', async () => {
    const created = () => Response.json({ ...pet.body, id: 1, categoryId: 1, status: 'sold' }, { status: 201 });
    const { createPet, asked } = client([limited, created]);
    expect((await settle(createPet(pet))).status).toBe(201);
    for (const request of asked) expect(await request.text()).toBe('{"name":"Rex","categoryId":1152921504606846977}');

    expect((await settle(client([busy]).createPet(pet))).status).toBe(503);
    await expect(settle(client([lost]).createPet(pet))).rejects.toThrow('fetch failed');
    expect((await settle(client([busy, lost, created], { twice: true }).createPet(pet))).status).toBe(201);
  });

  test.each([400, 401, 404, 500])('not after %i', async (status) => {
    const { getPet, at } = client([() => error(status, 'some_code')]);
    expect((await settle(getPet({ petId: 1n }))).status).toBe(status);
    expect(at).toEqual([0]);
  });

  test('of a ban only as far as the caller says', async () => {
    expect((await settle(client([() => banned(1)]).listPets())).status).toBe(429);
    const patient = client([() => banned(60), () => banned(61)], { ban: 60_000, time: 600_000 });
    expect((await settle(patient.listPets())).status).toBe(429);
    expect(patient.at).toEqual([0, 60_125]);
  });

  test('none where they are turned off, for the client or for a call', async () => {
    expect((await settle(client([busy], false).listPets())).status).toBe(503);
    expect((await settle(client([busy]).listPets({}, { retry: false }))).status).toBe(503);
    expect((await settle(client([busy, pets], false).listPets({}, { retry: { attempts: 2 } }))).status).toBe(200);
  });

  test('also where a connection breaks within a body', async () => {
    const broken = () => new Response(new ReadableStream({ start: (stream) => stream.error(lost()) }));
    const { listPets } = client([broken, pets]);
    expect((await settle(listPets())).status).toBe(200);
  });

  test('502 and 504 of a front door count as 503', async () => {
    const { listPets } = client([
      () => new Response('<p>', { status: 502 }),
      () => new Response('', { status: 504 }),
      pets,
    ]);
    expect((await settle(listPets())).status).toBe(200);
  });
});

describe('cancellation', () => {
  const hanging = (request?: Request) =>
    new Promise<Response>((_, reject) =>
      request?.signal.addEventListener('abort', () => reject(request.signal.reason)),
    );

  test('before, while asking, and while waiting', async () => {
    const reason = new Error('enough');
    const { listPets, at } = client([() => limited({ 'retry-after': '30' })]);
    await expect(listPets({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(at).toEqual([]);

    const controller = new AbortController();
    const call = listPets({}, { signal: controller.signal });
    call.catch(() => {});
    await vi.advanceTimersByTimeAsync(1000);
    expect(at).toHaveLength(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);

    const other = new AbortController();
    const slow = createClient({ baseUrl: 'https://api.test', key: 'key', fetch: hanging });
    const asking = slow.listPets({}, { signal: other.signal });
    asking.catch(() => {});
    await vi.advanceTimersByTimeAsync(10);
    other.abort(reason);
    await expect(asking).rejects.toBe(reason);
  });

  test('by time', async () => {
    const slow = createClient({ baseUrl: 'https://api.test', key: 'key', fetch: hanging, retry: { time: 5000 } });
    await expect(settle(slow.listPets())).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('no time at all is no time without end', async () => {
    const { listPets } = client([busy, pets], { time: Number.POSITIVE_INFINITY });
    expect((await settle(listPets())).status).toBe(200);
  });
});
