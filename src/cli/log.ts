import cluster from 'node:cluster';
import { pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Log } from '../http/log.ts';

/** The log on stdout: JSON lines, or readable ones on a terminal. `flush` writes what still waits. */
export function openLog(level: string): { log: Log; flush: () => void } {
  if (process.stdout.isTTY) {
    const pretty = prettyFactory({ colorize: true });
    const lines = {
      write: (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .forEach((line) => void process.stdout.write(pretty(line))),
    };
    return { log: { logger: pino({ level, base: null }, lines), lines }, flush: () => {} };
  }
  // Lines wait for one another a moment and are written together: a write for each request is what a log costs.
  // Workers write to one pipe, which keeps a write in one piece up to 4,096 bytes (PIPE_BUF, pipe(7)).
  const size = cluster.isWorker ? { minLength: 3_000, maxWrite: 4_096 } : { minLength: 16_000 };
  const lines = pino.destination({ dest: 1, sync: false, periodicFlush: 100, ...size });
  // A full disk is no reason to stop serving.
  lines
    .once('error', (error: Error) => process.stderr.write(`The log cannot be written: ${error.message}\n`))
    .on('error', () => {});
  return { log: { logger: pino({ level, base: null }, lines), lines }, flush: () => lines.flushSync() };
}
