import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOperatorStore } from '../src/store/operator.ts';
import { cloneDatabase, type Database } from './database.ts';
import { type Asked, newKey, send } from './service.ts';

const root = new URL('..', import.meta.url);
const hasCaddy = spawnSync('caddy', ['version']).status === 0;
if (!hasCaddy) process.stderr.write('The front door is not tested: there is no caddy on this machine.\n');

/** The Caddyfile as it is, before two processes of the service on one database. */
describe.skipIf(!hasCaddy)('front door', () => {
  let database: Database;
  let door: ChildProcess;
  let port: number;
  let instances: { process: ChildProcess; port: number }[];
  let home: string;
  let key: string;

  const ask = (method: string, path: string, asked: Asked = {}) => send(port, method, path, asked);
  /** Which instance answered: each begins its request ids in its own way. */
  const instanceOf = (reply: { headers: Headers }) => reply.headers.get('x-request-id')?.split('-')[0];

  beforeAll(async () => {
    database = await cloneDatabase();
    const operator = openOperatorStore(database.url);
    ({ key } = await newKey(operator));
    await operator.close();
    instances = await Promise.all([startInstance(database.url), startInstance(database.url)]);
    port = await freePort();
    home = await mkdtemp(join(tmpdir(), 'animal-store-door-'));
    door = spawn('caddy', ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        XDG_CONFIG_HOME: home,
        XDG_DATA_HOME: home,
        SITE_ADDRESS: `:${port}`,
        PULSE_PORT: `${await freePort()}`,
        INSTANCES: instances.map((instance) => `127.0.0.1:${instance.port}`).join(' '),
      },
      stdio: 'ignore',
    });
    const deadline = performance.now() + 10_000;
    while (performance.now() < deadline && (await ask('GET', '/readyz').catch(() => null))?.status !== 200)
      await sleep(50);
  });
  afterAll(async () => {
    for (const child of [door, ...(instances ?? []).map((instance) => instance.process)]) await end(child);
    await database?.drop();
    if (home !== undefined) await rm(home, { recursive: true, force: true });
  });

  test('spreads requests over the instances', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask('GET', '/v1/pets', { key })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(instanceOf)).size).toBe(2);
  });

  test('keeps the metrics inside', async () => {
    for (const path of ['/metrics', '/%6detrics', '/metrics?x=1']) {
      const reply = await ask('GET', path);
      expect(reply.status).toBe(404);
      expect(JSON.parse(reply.text)).toEqual({ code: 'not_found', message: 'There is no such path.', status: 404 });
    }
  });

  test("counts a caller's own address, whatever he says it is", async () => {
    const left = async (from: string, forwarded: string): Promise<[string | undefined, number]> => {
      const reply = await ask('GET', '/v1/pets', { from, headers: { 'x-forwarded-for': forwarded } });
      return [instanceOf(reply), Number(reply.headers.get('x-ratelimit-remaining'))];
    };
    const least = new Map<string | undefined, number>();
    for (let nth = 1; nth <= 12; nth++) {
      const [instance, remaining] = await left('127.0.0.7', `192.0.2.${nth}`);
      expect(remaining).toBeLessThan(least.get(instance) ?? Number.POSITIVE_INFINITY);
      least.set(instance, remaining);
    }
    const [, untouched] = await left('127.0.0.8', '192.0.2.1');
    expect(untouched).toBeGreaterThan(Math.max(...least.values()));
  });

  test('an instance that dies takes no reader with it, and from then on no writer', async () => {
    const [first] = instances;
    const many = (ask: (nth: number) => ReturnType<typeof send>) =>
      Promise.all(Array.from({ length: 40 }, (_, nth) => ask(nth)));
    const reads = many(() => ask('GET', '/v1/pets', { key }));
    await end(first?.process, 'SIGKILL');
    for (const { status } of await reads) expect(status).toBe(200);
    const writes = await many((nth) => ask('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: nth } }));
    for (const { status } of writes) expect(status).toBe(201);
  });

  test('with no instance left, the answer is the Error body', async () => {
    for (const instance of instances) await end(instance.process, 'SIGKILL');
    const reply = await ask('GET', '/v1/pets', { key });
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(JSON.parse(reply.text)).toEqual({ code: 'service_unavailable', message: expect.any(String), status: 503 });
  });
});

async function startInstance(databaseUrl: string): Promise<{ process: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['src/cli/animal-store.ts', 'serve'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PORT: '0',
      TRUST_PROXY: '127.0.0.1',
      MIGRATE_ON_START: 'false',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    const found = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
    if (found !== null) return { process: child, port: Number(found[1]) };
  }
  throw new Error(`the service did not start: ${said}`);
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('a TCP socket has a port');
  return address.port;
}
