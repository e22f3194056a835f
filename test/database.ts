import pg from 'pg';
import { inject } from 'vitest';

/** A database of its own, with a connection to look into it. */
export interface Database {
  readonly url: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Sets the clock of this database: it shows `instant` now and goes on from there. */
  setClock(instant: string | number): Promise<void>;
  /** Cuts its connections and drops it. */
  drop(): Promise<void>;
}

let count = 0;

/** Clones the migrated, empty template. */
export async function cloneDatabase(): Promise<Database> {
  const name = `test_${process.pid}_${++count}`;
  await administrate(`create database ${name} template template`);
  const url = new URL(inject('templateUrl'));
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {}); // A test may stop the server under it; the next query tells.
  await client.connect();
  return {
    url: url.href,
    query: async (text, values = []) => (await client.query(text, values)).rows,
    setClock: async (instant) => {
      const milliseconds = typeof instant === 'number' ? instant : Date.parse(instant);
      await client.query(
        `create or replace function service_now() returns timestamptz language sql volatile as
         $$ select clock_timestamp() + interval '${(milliseconds - Date.now()) / 1000} seconds' $$`,
      );
    },
    drop: async () => {
      await client.end();
      await administrate(`drop database ${name} with (force)`);
    },
  };
}

async function administrate(statement: string): Promise<void> {
  const url = new URL(inject('templateUrl'));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Two clones at once disturb each other: PostgreSQL wants the template to itself.
    await client.query('select pg_advisory_lock(1)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}
