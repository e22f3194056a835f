import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Keys } from './keys.ts';
import { Projects } from './projects.ts';
import type { Tables } from './tables.ts';

/** PostgreSQL, as the operator's command line sees it. */
export interface OperatorStore {
  readonly keys: Keys;
  readonly projects: Projects;
  close(): Promise<void>;
}

export function openOperatorStore(url: string): OperatorStore {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'animal-store cli',
    max: 1,
    connectionTimeoutMillis: 5_000,
  });
  // A lost connection fails the question under way, or the next one; that is where it is told.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { keys: new Keys(db), projects: new Projects(db), close: () => db.destroy() };
}
