/** Calls `end` when the process is told to end, as often as it is told: npm and a terminal do so together. */
export function onSignal(end: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // A closed terminal takes its programs along, unless nohup, which sends their output elsewhere, wants them to stay.
    if (signal !== 'SIGHUP' || process.stdout.isTTY) process.on(signal, end);
  }
}
