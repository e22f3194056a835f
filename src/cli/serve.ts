import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import pretty from 'pino-pretty';
import { handlers } from '../../generated/handlers.ts';
import { mint } from '../apiKey.ts';
import { type Config, readConfig } from '../config.ts';
import { buildServer } from '../http/server.ts';
import { type EmbeddedPostgres, openEmbedded } from '../store/embedded.ts';
import { migrate, SchemaAhead } from '../store/migrate.ts';
import { openOperatorStore } from '../store/operator.ts';
import { openStore } from '../store/store.ts';
import { contract as readContract } from './command.ts';

/** Milliseconds for requests under way to finish after a signal. */
const grace = 10_000;

export const serve = new Command('serve')
  .description('run the service')
  .action(async () => {
    const config = readConfig(process.env);
    const contract = readContract();
    const destination = process.stdout.isTTY
      ? pretty({ destination: 1, sync: true })
      : // Lines wait for one another a moment and are written together: a write for each request is what a log costs.
        pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 });
    const log = pino({ level: config.logLevel, base: null }, destination);

    const embedded = config.databaseUrl === null ? await openEmbedded({ dataDir: config.dataDir, exclusive: true }) : null;
    const url = config.databaseUrl ?? embedded?.url ?? '';
    const store = openStore(url, { plans: contract.limits.plans, banDurations: contract.limits.ban.durations, cleanPeriod: contract.limits.ban.cleanPeriod });
    const stopped = new AbortController();
    let server: FastifyInstance | undefined;

    const stop = async (code: number): Promise<void> => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      // Whatever hangs while closing, the process ends.
      setTimeout(() => process.exit(1), grace + 5_000).unref();
      if (server !== undefined) await closeWithin(server, grace);
      await store.close().catch((error: unknown) => log.warn({ err: error }, 'closing the store'));
      await embedded?.release();
      if ('flushSync' in destination) destination.flushSync();
      process.exit(code);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));

    try {
      server = await buildServer({ contract, handlers, store, log, trustProxy: config.trustProxy });
      await server.listen({ host: config.host, port: config.port });
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      await stop(1);
      return;
    }
    const base = address(server);
    process.stderr.write(`Animal Store listens on ${base}${contract.basePath}\n`);
    try {
      if (config.migrateOnStart) await migrateUntilDone(url, stopped.signal, (error) => log.warn({ err: error }, 'the database cannot be migrated yet'));
    } catch (error) {
      if (stopped.signal.aborted) return;
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      await stop(1);
      return;
    }
    if (embedded !== null) await welcome(base, contract.basePath, config, embedded);
  });

async function migrateUntilDone(url: string, signal: AbortSignal, onTrouble: (error: unknown) => void): Promise<void> {
  for (;;) {
    try {
      await migrate(url);
      return;
    } catch (error) {
      if (error instanceof SchemaAhead) throw error;
      onTrouble(error);
    }
    await sleep(1_000, undefined, { signal });
  }
}

/** Stops accepting, lets what is under way finish, and cuts it off after `limit` milliseconds. */
async function closeWithin(server: FastifyInstance, limit: number): Promise<void> {
  // A connection falls idle when its last response is out, long after close() has looked for idle ones.
  const idle = setInterval(() => server.server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.server.closeAllConnections(), limit);
  await server.close();
  clearInterval(idle);
  clearTimeout(late);
}

function address(server: FastifyInstance): string {
  const bound = server.server.address();
  if (bound === null || typeof bound === 'string') return String(bound);
  const host = bound.address === '::' || bound.address === '0.0.0.0' ? '127.0.0.1' : bound.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}

/** Tells the person at the terminal what to do next, with a key that works. */
async function welcome(base: string, basePath: string, config: Config, embedded: EmbeddedPostgres): Promise<void> {
  const key = await demoKey(config, embedded);
  process.stderr.write(
    [
      `  Documentation  ${base}/docs`,
      `  Database       embedded PostgreSQL in ${config.dataDir}`,
      ...(key === null
        ? ['  Make an API key with: npx animal-store keys create --plan free']
        : [
            `  API key        ${key} (plan free, for trying)`,
            '',
            '  Add an animal, and list all:',
            `  curl -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":5}' ${base}${basePath}/pets`,
            `  curl -H 'Authorization: Bearer ${key}' ${base}${basePath}/pets`,
          ]),
      '',
    ].join('\n'),
  );
}

/** The demo key, made on the first run and kept beside the data it opens; null once there are only others. */
async function demoKey({ dataDir }: Config, { url }: EmbeddedPostgres): Promise<string | null> {
  const file = join(dataDir, 'demo-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const store = openOperatorStore(url);
  try {
    if ((await store.keys.count()) > 0) return null;
    const { key, fingerprint } = mint();
    await store.keys.createWithProject({ fingerprint, name: 'demo', expiresAt: null }, { plan: 'free', custom: null });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return key;
  } finally {
    await store.close();
  }
}
