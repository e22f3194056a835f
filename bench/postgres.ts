/** The throw-away PostgreSQL that a run measures on: durable, as in production, and gone afterwards. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../src/store/embedded.ts';
import { parentOf } from './processes.ts';

export interface Postgres {
  readonly version: string;
  /** The postmaster, parent of all that PostgreSQL runs; undefined where the platform does not tell. */
  readonly pid: number | undefined;
  /** Makes an empty database and returns its address. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of its own. What was acknowledged is on disk: a benchmark without that would flatter. A `large`
 * one has buffers for ten million animals, as its operator would give it, instead of the 128 MB that it starts with.
 */
export const startPostgres = async ({ large }: { large: boolean }): Promise<Postgres> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  const { url, release } = await openEmbedded({
    dataDir,
    exclusive: false,
    settings: {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      ...(large ? { shared_buffers: '3GB' } : {}),
    },
  });
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const {
    rows: [server],
  } = await admin.query<{ pid: number; version: string }>(
    `select pg_backend_pid() as pid, current_setting('server_version') as version`,
  );
  return {
    version: server?.version ?? '',
    pid: server && parentOf(server.pid),
    async createDatabase(name) {
      await admin.query(`create database ${pg.escapeIdentifier(name)}`);
      return Object.assign(new URL(url), { pathname: name }).href;
    },
    async stop() {
      await admin.end();
      await release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
