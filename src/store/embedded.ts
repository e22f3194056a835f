import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type Cluster,
  freePort,
  lastWords,
  OWNER,
  prepareCluster,
  readPostmaster,
  startPostmaster,
  stopPostmaster,
} from './embeddedCluster.ts';

/** A running PostgreSQL of the project's own. */
export interface EmbeddedPostgres {
  /** `postgres://animal_store:…@127.0.0.1:port/animal_store`, a superuser's. */
  readonly url: string;
  /** Goes away; the last one to go stops the server. Takes some 10 seconds at the very most, never fails, and may be called again. */
  release(): Promise<void>;
}

/** One opener's mark in the server: as long as the connection is there, so is the opener. */
interface Presence {
  readonly client: pg.Client;
  readonly pid: number;
  readonly port: number;
}

const PATIENCE = 20_000; // milliseconds until a server must answer
const PROBE = 15; // milliseconds
const STARTS = 5; // all but the first with another port, should that be what is wrong
const PAUSE = 250; // milliseconds between them: after a crash, what is left of the last server takes a moment to go

/** Advisory locks: everybody present holds the first one shared, `serve` also the second one alone. */
const PRESENT = '1097755753, 1';
const SERVING = '1097755753, 2';

/**
 * Opens the PostgreSQL that lives in a folder: joins the server that runs there, or creates and starts it. A server that
 * dies is started again, on its old port if that is still free, for as long as somebody is present.
 *
 * @param options.dataDir the folder; it gets `postgres/`, `password` and `postgres.log`
 * @param options.exclusive for `serve`: one per folder, while others share
 * @param options.settings PostgreSQL settings beside ours, for whoever really starts the server
 * @throws Error, for the person at the terminal: the folder is in use or cannot be used, or the server does not start
 */
export async function openEmbedded(options: {
  dataDir: string;
  exclusive: boolean;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const { dataDir, exclusive, settings = {} } = options;
  const cluster = await prepareCluster(dataDir);
  const released = new AbortController();
  let presence = await join(cluster, settings, released.signal);
  try {
    if (exclusive) await claim(presence.client, dataDir);
  } catch (cause) {
    await leave(cluster, presence);
    throw cause;
  }

  let comeback: Promise<void> | undefined;
  const watch = (): void => {
    presence.client.once('end', () => {
      if (!released.signal.aborted) comeback = comeBack();
    });
  };
  const comeBack = async (): Promise<void> => {
    while (!released.signal.aborted)
      try {
        presence = await join(cluster, settings, released.signal);
        watch();
        if (exclusive) await claim(presence.client, dataDir).catch(() => {});
        return;
      } catch {
        await sleep(1_000, undefined, { signal: released.signal }).catch(() => {});
      }
  };
  watch();

  let gone: Promise<void> | undefined;
  return {
    url: `postgres://${OWNER}:${cluster.password}@127.0.0.1:${presence.port}/${OWNER}`,
    release: () =>
      (gone ??= (async () => {
        released.abort();
        await comeback;
        await leave(cluster, presence);
      })()),
  };
}

/** Becomes present in the cluster's server, whoever starts it. */
async function join(cluster: Cluster, settings: Record<string, string>, released: AbortSignal): Promise<Presence> {
  const deadline = performance.now() + PATIENCE;
  let server: ChildProcess | undefined;
  let starts = 0;
  while (performance.now() < deadline) {
    released.throwIfAborted();
    const postmaster = await readPostmaster(cluster);
    if (postmaster?.alive) {
      const client = postmaster.ready ? await enter(cluster, postmaster.port) : undefined;
      if (client) return { client, pid: postmaster.pid, port: postmaster.port };
    } else if (server === undefined || server.exitCode !== null || server.signalCode !== null) {
      // Also where another process was faster and has stopped its server since.
      if (starts === STARTS)
        throw new Error(
          `PostgreSQL does not start in ${cluster.folder}. The last lines of ${cluster.log}:\n${await lastWords(cluster)}\n` +
            'Mend what they name, set DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL of your own.',
        );
      if (starts > 0) await sleep(PAUSE);
      // After a crash its clients still know the old port.
      const port = (starts === 0 && postmaster?.port) || (await freePort());
      server = await startPostmaster(cluster, port, settings, postmaster);
      starts++;
    }
    await sleep(PROBE);
  }
  throw new Error(
    `PostgreSQL in ${cluster.folder} does not answer within ${PATIENCE / 1000} seconds. It may be repairing its data after ` +
      `a crash: try again in a minute. The last lines of ${cluster.log}:\n${await lastWords(cluster)}`,
  );
}

/** A connection that counts as present; undefined while the server is not ready for it, or is about to stop. */
async function enter(cluster: Cluster, port: number): Promise<pg.Client | undefined> {
  const client = connection(cluster, port, OWNER);
  try {
    await client.connect();
    // Whoever is stopping the server holds this lock alone, and takes us down with it.
    await client.query(`select pg_advisory_lock_shared(${PRESENT})`);
    return client;
  } catch (cause) {
    void client.end().catch(() => {});
    const code = cause instanceof pg.DatabaseError ? cause.code : undefined;
    if (code === '28P01')
      throw new Error(
        `The file "password" beside ${cluster.folder} does not hold the password of the database in it. Put the right one ` +
          'back, or set DATA_DIR to another folder.',
        { cause },
      );
    if (code === '3D000') await createDatabase(cluster, port);
    return undefined;
  }
}

async function createDatabase(cluster: Cluster, port: number): Promise<void> {
  const client = connection(cluster, port, 'postgres');
  try {
    await client.connect();
    await client.query(`create database ${OWNER}`);
  } catch {
    // Another process may be creating it; the next try to enter will tell.
  } finally {
    await client.end().catch(() => {});
  }
}

/** Becomes the one who serves. The connection of one that was killed may take a moment to go. */
async function claim(client: pg.Client, dataDir: string): Promise<void> {
  for (const deadline = performance.now() + 1_000; performance.now() < deadline; await sleep(50)) {
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${SERVING}) as mine`);
    if (rows[0]?.mine) return;
  }
  throw new Error(
    `The data folder ${dataDir} is in use by another running animal-store serve. Stop it, or set DATA_DIR to another folder.`,
  );
}

async function leave(cluster: Cluster, { client, pid }: Presence): Promise<void> {
  try {
    // First let go, then ask: of two who leave at once, the later one finds itself alone.
    await client.query(`select pg_advisory_unlock_shared(${PRESENT})`);
    const { rows } = await client.query<{ last: boolean }>(`select pg_try_advisory_lock(${PRESENT}) as last`);
    if (rows[0]?.last) await stopPostmaster(cluster, pid);
  } catch {
    // The server went first.
  } finally {
    await client.end().catch(() => {});
  }
}

function connection(cluster: Cluster, port: number, database: string): pg.Client {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: OWNER,
    password: cluster.password,
    database,
    ssl: false,
    application_name: 'animal-store embedded',
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  });
  client.on('error', () => {}); // what a lost connection means, "end" and the next query tell
  return client;
}
