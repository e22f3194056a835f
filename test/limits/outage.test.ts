import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { type EmbeddedPostgres, openEmbedded } from '../../src/store/embedded.ts';
import { freePort } from '../../src/store/embeddedCluster.ts';
import { migrate } from '../../src/store/migrate.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { type Service, startService, unlimited } from '../service.ts';
import { custom, freezeClock, second, siblingOf, times } from './judge.ts';

const noon = Date.parse('2030-05-05T12:00:10Z');
/** What is promised: an answer, and the recovery, within five seconds. */
const promised = 5 * second;

let dataDir: string;
let settings: Record<string, string>;
let postgres: EmbeddedPostgres;
let database: Database;
let service: Service;

const start = () => openEmbedded({ dataDir, exclusive: false, settings });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'animal-store-outage-'));
  // Every start is at the same address. What is committed without waiting for the disk stays in memory for long.
  settings = { port: `${await freePort()}`, wal_writer_delay: '10000' };
  postgres = await start();
  await migrate(postgres.url);
  database = {
    url: postgres.url,
    query: async (text, values = []) => {
      const client = new pg.Client({ connectionString: postgres.url });
      client.on('error', () => {}); // It is stopped on purpose.
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    setClock: (instant) => freezeClock(database, instant),
    drop: async () => {},
  };
  // Keys that nobody has shall not run into the quota of their address.
  service = await startService({
    database,
    edit: (yaml) => yaml.replace(/(anonymous:\n\s+perMinute: )\d+(\n\s+perDay: )\d+/, '$11000000$21000000'),
  });
  await freezeClock(database, noon);
});
afterAll(async () => {
  await service.close();
  await postgres.release();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const list = (key: string) => service.ask('GET', '/v1/pets', { key });

/** Asks until it works again; it must within the promised time. */
async function expectRecovery(key: string): Promise<void> {
  const begin = performance.now();
  await vi.waitFor(async () => expect((await list(key)).status).toBe(200), { timeout: 3 * promised, interval: 50 });
  expect(performance.now() - begin).toBeLessThan(promised);
}

async function expectUnavailable(key: string): Promise<void> {
  const begin = performance.now();
  const reply = await list(key);
  expect(performance.now() - begin).toBeLessThan(promised);
  expect(reply.status).toBe(503);
  expect(reply.json).toMatchObject({ code: 'service_unavailable' });
  const now = Math.ceil(service.store.admission.now() / second);
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(reply.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(reply.headers.get('x-ratelimit-reset')) - now).toBeLessThanOrEqual(1);
  expect(reply.headers.get('ratelimit')).toBe('"minute";r=0;t=1, "day";r=0;t=1');
}

/** Sends with a good key and with one that nobody has, a few at a time, until it is told to stop. */
function load(good: string) {
  let isOver = false;
  const seen = { good: new Map<number, number>(), unknown: new Map<number, number>(), slowest: 0 };
  const sender = async (key: string, counts: Map<number, number>) => {
    while (!isOver) {
      const begin = performance.now();
      const { status } = await list(key);
      seen.slowest = Math.max(seen.slowest, performance.now() - begin);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  const senders = times(4, 0).flatMap(() => [sender(good, seen.good), sender(mint().key, seen.unknown)]);
  return {
    seen,
    stop: async () => {
      isOver = true;
      await Promise.all(senders);
    },
  };
}

test('stopped and started under load: 503 meanwhile, nobody gets in unknown or uncounted, and it recovers by itself', async () => {
  const { key, stored } = await service.newKey(unlimited);
  const { seen, stop } = load(key);
  await vi.waitUntil(() => (seen.good.get(200) ?? 0) > 50 && (seen.unknown.get(401) ?? 0) > 50, { timeout: 10_000 });
  await postgres.release();
  await vi.waitUntil(() => (seen.good.get(503) ?? 0) > 20 && (seen.unknown.get(503) ?? 0) > 20, { timeout: 10_000 });
  await expectUnavailable(key);
  expect((await service.ask('GET', '/livez')).status).toBe(200);
  expect((await service.ask('GET', '/readyz')).status).toBe(503);

  postgres = await start();
  await expectRecovery(key);
  expect((await service.ask('GET', '/readyz')).status).toBe(200);
  await stop();
  expect([...seen.good.keys()].sort()).toEqual([200, 503]);
  expect([...seen.unknown.keys()].sort()).toEqual([401, 503]);
  expect(seen.slowest).toBeLessThan(promised);
  const project = (await service.operator.projects.list()).find(({ id }) => id === stored.projectId);
  expect(project?.usedToday).toBeGreaterThanOrEqual(seen.good.get(200) ?? 0);
});

test('hanging: 503 within five seconds, and it recovers by itself', async () => {
  const { key } = await service.newKey(unlimited);
  const { seen, stop } = load(key);
  await vi.waitUntil(() => (seen.good.get(200) ?? 0) > 20, { timeout: 10_000 });
  const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  const backends = await database.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  const processes = [postmaster, ...backends.map(({ pid }) => pid)];
  try {
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    // Whoever was under way, whoever waited, and whoever comes later.
    await vi.waitUntil(() => (seen.good.get(503) ?? 0) >= 8, { timeout: 3 * promised });
    await expectUnavailable(key);
  } finally {
    for (const pid of processes.toReversed()) process.kill(pid, 'SIGCONT');
  }
  await expectRecovery(key);
  await stop();
  expect(seen.slowest).toBeLessThan(promised);
  expect([...seen.unknown.keys()].filter((status) => ![401, 503].includes(status))).toEqual([]);
});

test('a ban that somebody was told of is there after a crash', async () => {
  const { key, stored } = await service.newKey(custom(30, 1000));
  await Promise.all(times(30, key).map(list));
  const told = await Promise.all(times(31, key).map(list));
  const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  process.kill(postmaster, 'SIGQUIT'); // At once, with nothing written that was not.
  expect(told.map(({ json }) => Object(json).code)).toContain('api_key_banned');

  const banned = async () => (await service.operator.keys.list()).find(({ id }) => id === stored.id)?.bannedUntil;
  await vi.waitFor(async () => expect(await banned()).toEqual(new Date(noon + 300 * second)), {
    timeout: 3 * promised,
    interval: 50,
  });
  const reply = await vi.waitFor(
    async () => {
      const answer = await list(key);
      expect(answer.status).not.toBe(503);
      return answer;
    },
    { timeout: 3 * promised, interval: 50 },
  );
  expect(reply.json).toMatchObject({ code: 'api_key_banned' });
});

test('a project that somebody else has locked piles up no requests: 503 for who waits and for who is too many', async () => {
  const calm = await cloneDatabase();
  const busy = await startService({ database: calm });
  const holder = new pg.Client({ connectionString: calm.url });
  await holder.connect();
  try {
    const { key, stored } = await busy.newKey(unlimited);
    const { fingerprint } = await siblingOf(busy.operator, { stored });
    expect((await busy.ask('GET', '/v1/pets', { key })).status).toBe(200);
    await holder.query('begin');
    await holder.query('select from projects where id = $1 for update', [stored.projectId]);

    const begin = performance.now();
    const first = busy.ask('GET', '/v1/pets', { key });
    await vi.waitUntil(
      async () => (await calm.query("select from pg_stat_activity where wait_event_type = 'Lock'")).length > 0,
      { interval: 10 },
    );
    const flood = times(5_000, fingerprint).map(async (one) => {
      try {
        return (await busy.store.admission.admit(one)).outcome;
      } catch (error) {
        return Object(error).code;
      }
    });
    expect(busy.store.admission.waiting).toBeLessThanOrEqual(2_000);
    expect(new Set(await Promise.all(flood))).toEqual(new Set(['service_unavailable']));
    expect((await first).status).toBe(503);
    expect(performance.now() - begin).toBeLessThan(promised);

    await holder.query('rollback');
    expect((await busy.ask('GET', '/v1/pets', { key })).status).toBe(200);
  } finally {
    await holder.end();
    await busy.close();
    await calm.drop();
  }
});
