import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../../src/apiKey.ts';
import { openOperatorStore } from '../../src/store/operator.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { newKey } from '../service.ts';
import { gateway, newFolder, postgresOf, root, run, type Serving, serve, speak, start, until } from './program.ts';

const inOrder = { code: 0, signal: null };

/** A database with a key in it, for services that need none of their own. */
let database: Database;
let key: string;
beforeAll(async () => {
  database = await cloneDatabase();
  const operator = openOperatorStore(database.url);
  ({ key } = await newKey(operator));
  await operator.close();
});
afterAll(() => database.drop());

const ask = ({ url }: Serving, path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(10_000),
  });
const statusOf = async (service: Serving, path: string) => (await ask(service, path)).status;
const stop = async (service: Serving, signal: NodeJS.Signals = 'SIGTERM') => {
  service.kill(signal);
  return service.ended;
};

const isDeaf = ({ port }: Serving) =>
  speak(port, '').then(
    (socket) => {
      socket.destroy();
      return false;
    },
    () => true,
  );

describe.concurrent('with the embedded PostgreSQL', () => {
  test('a first start tells all that is needed, and what was stored outlives stops and a kill -9', async () => {
    const dataDir = newFolder();
    const first = await serve({ DATA_DIR: dataDir });
    const [, demo = ''] = await first.says(/API key +(ast_live_\w+)/);
    await first.says(/Documentation +http:\S+\/docs\n/);
    const curls = (await first.says(/(?: +curl [^\n]+\n)+/))[0].trim().split('\n');
    expect(curls).toHaveLength(2);
    for (const line of curls) {
      const { stdout, stderr } = spawnSync('sh', ['-c', line.replace('curl', 'curl -sS')], { encoding: 'utf8' });
      if (/not found/.test(stderr)) break; // A machine without curl is told no lie, but cannot check it.
      expect(stdout, first.stdout).toContain('{"id":1,"name":"Rex","categoryId":5,"status":"available"}');
    }
    const list = (service: Serving) =>
      fetch(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${demo}` } });
    expect((await list(first)).status).toBe(200);
    const written = await fetch(`${first.url}/v1/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo}`, 'content-type': 'application/json' },
      body: '{"name":"Ada","categoryId":7}',
    });
    expect(written.status).toBe(201);
    expect(await stop(first, 'SIGINT')).toEqual(inOrder);
    expect(postgresOf(dataDir)).toBeNull();

    const second = await serve({ DATA_DIR: dataDir });
    expect((await second.says(/API key +(ast_live_\w+)/))[1]).toBe(demo);
    expect(await (await list(second)).text()).toContain('"Ada"');
    second.kill('SIGKILL');
    await second.ended;

    const third = await serve({ DATA_DIR: dataDir });
    await third.says(/API key/);
    expect(await (await list(third)).text()).toContain('"Ada"');
    expect((await run(['keys', 'revoke', demo], { DATA_DIR: dataDir })).code).toBe(0);
    expect(await stop(third)).toEqual(inOrder);

    const fourth = await serve({ DATA_DIR: dataDir });
    await fourth.says(/Make an API key with: npx animal-store keys create/);
    expect(fourth.stderr).not.toContain('ast_live_');
    expect(await stop(fourth)).toEqual(inOrder);
    expect(postgresOf(dataDir)).toBeNull();

    const password = readFileSync(join(dataDir, 'password'), 'utf8');
    for (const { stdout, stderr } of [first, second, third, fourth]) {
      for (const line of stdout.split('\n').filter(Boolean))
        expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number) });
      expect(stdout).not.toContain(demo);
      expect(stdout).not.toContain(fingerprint(demo));
      expect(stdout + stderr).not.toContain(password);
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
    expect(first.stdout).toContain('"operationId":"createPet"');
  });

  const npm = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };

  test.each([
    ['npm start', 'SIGTERM'],
    ['npm start', 'SIGINT'],
    ['npx animal-store serve', 'SIGTERM'],
    ['npx animal-store serve', 'SIGINT'],
  ] as const)('%s passes %s on and ends with 0, and no PostgreSQL is left', async (command, signal) => {
    const dataDir = newFolder();
    const service = await serve({ ...npm, DATA_DIR: dataDir }, { command: command.split(' ') });
    expect(await stop(service, signal)).toEqual(inOrder);
    expect(postgresOf(dataDir)).toBeNull();
  });

  test('a second service on the same folder is refused in one line, and the first goes on', async () => {
    const dataDir = newFolder();
    const first = await serve({ DATA_DIR: dataDir });
    const { code, stdout, stderr } = await run(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `The data folder ${dataDir} is in use by another running animal-store serve. Stop it, or set DATA_DIR to another folder.\n`,
    );
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    expect(await stop(first)).toEqual(inOrder);
    expect(postgresOf(dataDir)).toBeNull();
  });

  test('a signal while it starts ends it in good order', async () => {
    const dataDir = newFolder();
    const program = start([process.execPath, 'src/cli/animal-store.ts', 'serve'], { DATA_DIR: dataDir, PORT: '0' });
    await until(() => existsSync(join(dataDir, 'password')));
    program.kill('SIGTERM');
    expect(await program.ended).toEqual(inOrder);
    expect(postgresOf(dataDir)).toBeNull();
  });

  test('a plain user may run it as well', async (context) => {
    const leaveOut = (reason: string): never => {
      process.stderr.write(`Left out, starting as a plain user: ${reason}.\n`);
      return context.skip(reason);
    };
    if (process.geteuid?.() !== 0) leaveOut('these tests run as one anyway');
    const reached = spawnSync('test', ['-r', join(root, 'package.json')], { cwd: '/', uid: 65_534, gid: 65_534 });
    if (reached.status !== 0) leaveOut('the project’s folder is closed to other users');
    const home = newFolder();
    chmodSync(home, 0o777);
    const service = await serve({ DATA_DIR: join(home, 'data'), HOME: home }, { uid: 65_534 });
    await service.says(/API key/);
    expect(await stop(service)).toEqual(inOrder);
    expect(postgresOf(join(home, 'data'))).toBeNull();
  });
});

describe.concurrent('where to listen', () => {
  test.each([
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['::', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['::1', /^http:\/\/\[::1\]:\d+$/],
    ['localhost', /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/],
  ])('HOST=%s prints an address that answers', async (host, address) => {
    const service = await serve({ HOST: host, DATABASE_URL: database.url });
    expect(service.url).toMatch(address);
    expect(await statusOf(service, '/v1/pets')).toBe(200);
    expect(await stop(service)).toEqual(inOrder);
  });

  test('a port that is taken stops the start in one line, and nothing is touched', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    // A server that listens on a port has an address of this form.
    const { port } = other.address() as AddressInfo;
    const dataDir = join(newFolder(), 'data');
    const { code, stdout, stderr } = await run(['serve'], { DATA_DIR: dataDir, PORT: String(port) });
    other.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `PORT ${port} of 127.0.0.1 is taken by another program. Stop it, or set PORT to another one; 0 picks a free one.\n`,
    );
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe.concurrent('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a request finish that is under way, and takes no new one',
    async (signal) => {
      const service = await serve({ DATABASE_URL: database.url });
      const body = '{"name":"Last","categoryId":1}';
      const slow = await speak(
        service.port,
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{"name"`,
      );
      let answer = '';
      slow.on('data', (text) => (answer += String(text)));
      const closed = once(slow, 'close');
      await ask(service, '/livez'); // By now the slow one has been read.
      service.kill(signal);
      service.kill(signal); // As npm and a terminal do together.
      await until(() => isDeaf(service));
      slow.write(body.slice('{"name"'.length));
      await closed;
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(answer).toContain('"name":"Last"');
      expect(await service.ended).toEqual(inOrder);
    },
  );

  test('is not delayed by idle connections, nor by those that have sent nothing', async () => {
    const service = await serve({ DATABASE_URL: database.url });
    const agent = new Agent({ keepAlive: true });
    for (const path of ['/livez', '/v1/pets'])
      await new Promise((resolve) =>
        httpRequest(service.url + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) =>
          response.resume().once('end', resolve),
        ).end(),
      );
    const silent = await Promise.all([speak(service.port, ''), speak(service.port, '')]);
    const begun = performance.now();
    expect(await stop(service)).toEqual(inOrder);
    expect(performance.now() - begun).toBeLessThan(5_000);
    agent.destroy();
    for (const socket of silent) socket.destroy();
  });

  test('waits 10 seconds for half a request, and no longer', async () => {
    const service = await serve({ DATABASE_URL: database.url });
    const half = await speak(service.port, 'GET /livez HTTP/1.1\r\nHo');
    await ask(service, '/livez');
    const begun = performance.now();
    expect(await stop(service)).toEqual(inOrder);
    expect(performance.now() - begun).toBeGreaterThan(9_000);
    expect(performance.now() - begun).toBeLessThan(15_000);
    half.destroy();
  });

  test('ends a service whose database hangs', async () => {
    const way = await gateway(database.url);
    await way.open();
    const service = await serve({ DATABASE_URL: way.url });
    expect(await statusOf(service, '/v1/pets')).toBe(200);
    way.freeze();
    expect(await statusOf(service, '/v1/pets')).toBe(503);
    expect(await stop(service)).toEqual(inOrder);
  });

  test('a mistake that nobody catches is logged, and ends the process with 1', async () => {
    // As a bug would: a rejection that nobody handles, in the middle of its work.
    const bug = `data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => void Promise.reject(new Error('a bug')))")}`;
    const service = await serve({ DATABASE_URL: database.url, NODE_OPTIONS: `--import=${bug}` });
    const half = await speak(service.port, 'GET /livez HTTP/1.1\r\nHo');
    expect(await stop(service, 'SIGUSR2')).toEqual({ code: 1, signal: null });
    const fatal = service.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 60);
    expect(fatal).toMatchObject([{ err: { message: 'a bug', stack: expect.stringContaining('at ') } }]);
    half.destroy();
  });
});

describe.concurrent('the database', () => {
  test('may be away at the start, and go, and hang, and come back', async () => {
    const own = await cloneDatabase();
    await own.query('drop schema public cascade; create schema public');
    const way = await gateway(own.url);
    const service = await serve({ DATABASE_URL: way.url });
    const away = async () => {
      expect(await statusOf(service, '/livez')).toBe(200);
      expect(await statusOf(service, '/readyz')).toBe(503);
      const begun = performance.now();
      const reply = await ask(service, '/v1/pets');
      expect(performance.now() - begun).toBeLessThan(5_000);
      expect({ status: reply.status, retryAfter: reply.headers.get('retry-after'), body: await reply.json() }).toEqual({
        status: 503,
        retryAfter: expect.stringMatching(/^[1-9]\d*$/),
        body: { code: 'service_unavailable', status: 503, message: expect.any(String) },
      });
    };
    await away();
    await way.open();
    // It migrates by itself; the key is one that this database has not got.
    await until(
      async () => (await statusOf(service, '/readyz')) === 200 && (await statusOf(service, '/v1/pets')) === 401,
      5,
    );
    await way.shut();
    await away();
    await way.open();
    await until(
      async () => (await statusOf(service, '/readyz')) === 200 && (await statusOf(service, '/v1/pets')) === 401,
      5,
    );
    way.freeze();
    await away();
    await way.shut();
    await way.open();
    await until(
      async () => (await statusOf(service, '/readyz')) === 200 && (await statusOf(service, '/v1/pets')) === 401,
      5,
    );

    expect(await stop(service)).toEqual(inOrder);
    expect(service.stdout).toContain('the database is not ready yet');
    for (const secret of [new URL(own.url).password, key, fingerprint(key)])
      expect(service.stdout + service.stderr).not.toContain(secret);
    await own.drop();
  });

  test('is not migrated where MIGRATE_ON_START is false, until somebody does', async () => {
    const own = await cloneDatabase();
    await own.query('drop schema public cascade; create schema public');
    const env = { DATABASE_URL: own.url, MIGRATE_ON_START: 'false' };
    const service = await serve(env);
    await service.says(
      /the database lacks 0001_animals, 0002_keys_and_quotas, 0003_animals_as_json: run animal-store migrate/,
    );
    expect(await statusOf(service, '/readyz')).toBe(503);
    expect((await own.query("select to_regclass('pets') as pets"))[0]).toEqual({ pets: null });
    expect((await run(['migrate'], env)).code).toBe(0);
    await until(async () => (await statusOf(service, '/readyz')) === 200, 5);
    expect(await statusOf(service, '/v1/pets')).toBe(401);
    expect(await stop(service)).toEqual(inOrder);
    await own.drop();
  });

  test('is migrated by one of several services that start at once', async () => {
    const own = await cloneDatabase();
    await own.query('drop schema public cascade; create schema public');
    const services = await Promise.all([1, 2, 3].map(() => serve({ DATABASE_URL: own.url })));
    for (const service of services) await until(async () => (await statusOf(service, '/readyz')) === 200);
    expect(await Promise.all(services.map((service) => stop(service)))).toEqual([inOrder, inOrder, inOrder]);
    for (const { stdout } of services) expect(stdout).not.toContain('"level":40');
    await own.drop();
  });
});

test('an openapi.yaml that cannot be kept stops the start by name', async () => {
  const copy = newFolder();
  for (const part of ['src', 'generated', 'package.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const document = readFileSync(join(root, 'openapi.yaml'), 'utf8');
  const begin = async (text: string) => {
    writeFileSync(join(copy, 'openapi.yaml'), text);
    const program = start(
      [process.execPath, 'src/cli/animal-store.ts', 'serve'],
      { PORT: '0', DATA_DIR: join(copy, 'data') },
      { cwd: copy },
    );
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.stdout).toBe('');
    expect(postgresOf(join(copy, 'data'))).toBeNull();
    return program.stderr;
  };
  const [renamed, broken] = [
    document.replace('operationId: createPet', 'operationId: makePet'),
    document.replace('\npaths:', '\npaths: ['),
  ];
  expect(await begin(renamed)).toContain('src/operations/createPet.ts answers no operation');
  expect(await begin(broken)).toMatch(/^openapi\.yaml cannot be served as it stands:\n {2}- .* at line \d+/);
});
