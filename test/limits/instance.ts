import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Reply } from '../replies.ts';
import { type Asked, send } from '../service.ts';

const program = new URL('../../src/cli/animal-store.ts', import.meta.url).pathname;

/** A server process of its own. */
export interface Instance {
  ask(method: string, path: string, asked?: Asked): Promise<Reply>;
  stop(): Promise<void>;
}

/** Starts `animal-store serve` on this database and waits until it listens and is ready. */
export async function startInstance(databaseUrl: string): Promise<Instance> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  let said = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, found] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    void exit.then(() => reject(new Error(`the server ended: ${said}`)));
  });
  const ask: Instance['ask'] = (method, path, asked = {}) => send(port, method, path, asked);
  while ((await ask('GET', '/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    ask,
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
