/** A server under test, as a process of its own. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Server {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** How long a server may take from its start to its address; the ceiling reads its whole table first. */
const startTimeoutMs = 30_000;

/**
 * Starts a program of node's and waits for its address on stderr. Its log goes to the null device: printing is
 * part of what is measured, the disk behind it is not.
 */
export const startServer = async (file: string, args: string[], database: string): Promise<Server> => {
  // Our program says in its first line with which settings of node it runs.
  const [command, ...rest] = file.endsWith('animal-store.ts') ? [file, ...args] : [process.execPath, file, ...args];
  const child = spawn(command ?? '', rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: database, HOST: '127.0.0.1', PORT: '0' },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 12_000);
    await ended;
    clearTimeout(patience);
  };

  const said: string[] = [];
  const origin = await new Promise<string | undefined>((resolve) => {
    const patience = setTimeout(() => resolve(undefined), startTimeoutMs);
    void ended.then(() => resolve(undefined));
    createInterface(child.stderr).on('line', (line) => {
      if (said.length < 50) said.push(line);
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (!address) return;
      clearTimeout(patience);
      resolve(address[0]);
    });
  });
  if (origin === undefined || child.pid === undefined) {
    await stop();
    throw new Error(`${file} did not start:\n${said.join('\n')}`);
  }
  return { origin, pid: child.pid, stop };
};
