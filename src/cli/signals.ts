import type { Config } from '../config.ts';

/** Calls `end` when the process is told to end, as often as it is told: npm and a terminal do so together. */
export function onSignal({ byNpx }: Config, end: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // A closed terminal takes its programs along, unless nohup, which sends their output elsewhere, wants them to stay.
    if (signal !== 'SIGHUP' || process.stdout.isTTY) process.on(signal, end);
  }
  // A signal to npx ends the shell that it has put between, and never arrives here.
  const parent = process.ppid;
  if (byNpx) setInterval(() => process.ppid === parent || end(), 200).unref();
}
