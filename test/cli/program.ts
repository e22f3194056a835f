import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';

// The program as its operator meets it: real processes, their output and their end.

/** The project's root. */
export const root = join(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that was started, and what it has said so far. */
export interface Program {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the match once stdout and stderr together hold it; rejects where the process ends before. */
  says(what: RegExp): Promise<RegExpExecArray>;
}

export type Env = Readonly<Record<string, string>>;

const started = new Set<ChildProcess>();
const folders: string[] = [];

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  for (const folder of folders) {
    const pid = postgresOf(folder);
    if (pid !== null) process.kill(pid, 'SIGQUIT');
    await until(() => postgresOf(folder) === null);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** A new folder, which is removed at the end of the file, the PostgreSQL in it stopped. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-cli-'));
  folders.push(folder);
  return folder;
}

/** The pid of the PostgreSQL that runs over a data folder; null where there is none. */
export function postgresOf(dataDir: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('cluster_name=animal-store') ? pid : null;
  } catch {
    return null;
  }
}

/** Starts `command` in the project's root, with no other variables than `env` and what a program needs to be found. */
export function start(
  command: readonly string[],
  env: Env = {},
  options: { cwd?: string; uid?: number } = {},
): Program {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: options.cwd ?? root,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    env: {
      PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      HOME: process.env.HOME ?? tmpdir(),
      // Most of a short command's time is compiling, and each is run many times.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/test-compile'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const hear = () => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    hear();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    hear();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      started.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    // A process that could not be started has none, and `ended` says why.
    pid: child.pid ?? 0,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    ended,
    kill: (signal) => void child.kill(signal),
    says: (what) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = what.exec(`${stdout}\n${stderr}`);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        ended.then(
          ({ code, signal }) =>
            reject(new Error(`ended with ${code ?? signal} and never said ${what}: ${stdout}${stderr}`)),
          reject,
        );
      }),
  };
}

/** Runs the command line to its end. */
export async function run(
  args: readonly string[],
  env: Env = {},
): Promise<Ended & { readonly stdout: string; readonly stderr: string }> {
  const program = start([process.execPath, 'src/cli/animal-store.ts', ...args], env);
  const { code, signal } = await program.ended;
  return { code, signal, stdout: program.stdout, stderr: program.stderr };
}

/** A service that listens. */
export interface Serving extends Program {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
}

/** Starts a service on a free port, by `command`, and waits until it listens. */
export async function serve(
  env: Env,
  {
    command = [process.execPath, 'src/cli/animal-store.ts', 'serve'],
    ...options
  }: { command?: string[]; cwd?: string; uid?: number } = {},
): Promise<Serving> {
  const program = start(command, { PORT: '0', ...env }, options);
  const [, url = ''] = await program.says(/Animal Store listens on (http:\S+)\/v1/);
  return Object.defineProperties(
    { url, port: Number(new URL(url).port) },
    Object.getOwnPropertyDescriptors(program),
  ) as Serving;
}

/** A TCP connection that has sent `text`. */
export function speak(port: number, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (text === '') resolve(socket);
      else socket.write(text, () => resolve(socket));
    });
    socket.on('error', reject); // After it has resolved this does nothing: how a connection ends is told by its close.
  });
}

/** Waits for what no event tells. */
export async function until(condition: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  for (const deadline = performance.now() + seconds * 1000; !(await condition()); await sleep(20))
    if (performance.now() > deadline) throw new Error(`after ${seconds} seconds it is still not so: ${condition}`);
}

/** The way to a database, to be barred: nothing listens until it is opened. */
export interface Gateway {
  /** The database's address by this way. */
  readonly url: string;
  open(): Promise<void>;
  /** Cuts all connections and refuses new ones, as a server that went away. */
  shut(): Promise<void>;
  /** Passes nothing on any more and answers nobody, as a network that lost the server. */
  freeze(): void;
}

export async function gateway(target: string): Promise<Gateway> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;
  let server: Server | null = null;
  const listen = async (at: number): Promise<number> => {
    server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on('data', (bytes) => void (frozen || other.write(bytes)));
        one.on('error', () => {});
        one.on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => server?.listen(at, '127.0.0.1', resolve));
    // A server that listens on a port has an address of this form.
    return (server.address() as AddressInfo).port;
  };
  const shut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const own = await listen(0);
  await shut();
  const url = new URL(target);
  url.port = String(own);
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server?.close();
  });
  return {
    url: url.href,
    open: async () => {
      frozen = false;
      await listen(own);
    },
    shut,
    freeze: () => {
      frozen = true;
    },
  };
}
