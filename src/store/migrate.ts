import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { isPassing, sqlState } from './connection.ts';

const folder = new URL('./migrations/', import.meta.url);

/** Any number that no other program takes its advisory lock on; spells "pets". */
const lock = 0x70657473;

/** A forward-only step. One whose first line begins with `-- breaking` stops servers that do not know it. */
interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly breaking: boolean;
}

function migrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), 'utf8');
      return { name: file.replace(/\.sql$/, ''), sql, breaking: sql.startsWith('-- breaking') };
    });
}

/**
 * Brings the database to the newest schema: each step in a transaction of its own, under a lock, so that several may
 * call it at once. Returns the names of the steps taken. Throws `UnfitDatabase` when no later try can succeed: the
 * database has a breaking step that this version does not know, is not in UTF-8, or refuses a step.
 */
export async function migrate(url: string): Promise<string[]> {
  const client = await connect(url);
  try {
    await checkEncoding(client);
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query(`create table if not exists migrations (
      name text constraint migrations_pkey primary key,
      breaking boolean not null,
      applied_at timestamptz not null default now()
    )`);
    const pending = await pendingMigrations(client);
    for (const { name, sql, breaking } of pending) {
      await client.query('begin');
      try {
        await client.query(sql);
        await client.query('insert into migrations (name, breaking) values ($1, $2)', [name, breaking]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => {}); // The connection may be what failed.
        if (isPassing(error)) throw error;
        throw new UnfitDatabase(`migration ${name} failed; the database is as it was before it`, { cause: error });
      }
    }
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** The names of the steps that the database lacks; changes nothing. Throws as `migrate` does. */
export async function lacking(url: string): Promise<string[]> {
  const client = await connect(url);
  try {
    return (await pendingMigrations(client)).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** What is left to do; throws when the database is ahead in a way that breaks this version. */
export async function pendingMigrations(client: Pick<pg.Client, 'query'>): Promise<Migration[]> {
  const applied = await client
    .query<{ name: string; breaking: boolean }>('select name, breaking from migrations')
    .catch((error: unknown) => {
      if (sqlState(error) === '42P01') return { rows: [] }; // undefined_table: nothing was ever done here
      throw error;
    });
  const known = migrations();
  const ahead = applied.rows.filter(({ name, breaking }) => breaking && !known.some((one) => one.name === name));
  if (ahead.length > 0) {
    throw new SchemaAhead(
      `The database has a newer schema (${ahead.map(({ name }) => name).join(', ')}) that this version cannot work with. Run a newer version.`,
    );
  }
  return known.filter(({ name }) => !applied.rows.some((one) => one.name === name));
}

/** A database that this version cannot work with, however often it tries. */
export class UnfitDatabase extends Error {
  override readonly name: string = 'UnfitDatabase';
}

/** The database was migrated by a newer version, past what this one understands. */
export class SchemaAhead extends UnfitDatabase {
  override readonly name = 'SchemaAhead';
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'animal-store migrate',
    connectionTimeoutMillis: 3_000,
  });
  client.on('error', () => {}); // A lost connection fails the statement under way; that is where it is told.
  await client.connect().catch((cause: unknown) => {
    throw new Error('The database cannot be reached', { cause });
  });
  return client;
}

async function checkEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  if (rows[0]?.server_encoding !== 'UTF8') {
    throw new UnfitDatabase(`The database's encoding is ${rows[0]?.server_encoding}; create it with encoding UTF8.`);
  }
}
