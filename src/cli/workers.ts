import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { metricsForWorkers } from '../http/sharedMetrics.ts';
import { openEmbedded } from '../store/embedded.ts';
import { claimAddress, originOf } from './address.ts';
import { contract as readContract } from './command.ts';
import { openLog } from './log.ts';
import { prepareDatabase } from './prepareDatabase.ts';
import { onSignal } from './signals.ts';
import { welcome } from './welcome.ts';

/** Milliseconds until a worker that died is replaced: long enough that one that cannot live does not spin. */
const pause = 500;

/**
 * Serves from `count` processes that share the port, and lasts until a signal ends them all in good order. A worker
 * that dies is replaced. The database, the embedded one too, is this process's affair; the workers only use it.
 */
export async function runWorkers(config: Config, count: number): Promise<never> {
  const contract = readContract();
  const { log, flush } = openLog(config.logLevel);
  const host = await claimAddress(config);
  const ending = new AbortController();
  onSignal(() => ending.abort());
  const embedded =
    config.databaseUrl === null ? await openEmbedded({ dataDir: config.dataDir, exclusive: true }) : null;
  let listens = false;
  try {
    const url = config.databaseUrl ?? embedded?.url ?? '';
    const answerMetrics = metricsForWorkers();
    cluster.setupPrimary({ exec: process.argv[1] ?? '', args: ['serve'] });
    const work = async (): Promise<void> => {
      const worker = cluster.fork({ HOST: host, DATABASE_URL: url });
      answerMetrics(worker);
      worker.once('exit', (code, signal) => {
        if (ending.signal.aborted) return;
        if (!listens) {
          // It has said why. Another would say the same.
          process.exitCode = 1;
          ending.abort();
          return;
        }
        process.stderr.write(`A worker ended (${signal ?? code}); another takes its place.\n`);
        void sleep(pause, undefined, { ref: true }).then(() => (ending.signal.aborted ? undefined : work()));
      });
    };
    const listen = async (): Promise<string | null> => {
      await work();
      const [, address] = await Promise.race([
        once(cluster, 'listening') as Promise<[Worker, { address: string; port: number }]>,
        ended(ending.signal),
      ]);
      if (address === undefined) return null;
      listens = true;
      for (let i = 1; i < count; i++) await work();
      const origin = originOf(address);
      process.stderr.write(`Animal Store listens on ${origin}${contract.basePath}, with ${count} workers\n`);
      return origin;
    };
    const [origin] = await Promise.all([
      listen(),
      // A statement that hangs goes down with the process.
      Promise.race([prepareDatabase(url, config, contract, log.logger, ending.signal), ended(ending.signal)]),
    ]);
    if (embedded !== null && origin !== null)
      await welcome({ origin, contract, dataDir: config.dataDir, url: embedded.url });
    await ended(ending.signal);
  } finally {
    ending.abort();
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map((worker) => {
        worker.process.kill('SIGTERM');
        return worker.isDead() ? undefined : once(worker, 'exit');
      }),
    );
    await embedded?.release();
    flush();
  }
  process.exit();
}

async function ended(signal: AbortSignal): Promise<[undefined, undefined]> {
  if (!signal.aborted) await once(signal, 'abort');
  return [undefined, undefined];
}
