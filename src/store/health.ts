import pg from 'pg';
import { pendingMigrations } from './migrate.ts';

/** Milliseconds for the answer to "are you there?". */
const limit = 2_000;

/** Whether PostgreSQL answers and holds the schema that this version needs. */
export class Health {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({
      connectionString: url,
      application_name: 'animal-store health',
      max: 1,
      connectionTimeoutMillis: limit,
      query_timeout: limit,
      allowExitOnIdle: true,
    });
    this.#pool.on('error', () => {}); // An idle connection that was lost is opened again by the next question.
  }

  /** Null when all is well, else the reason why not, for the log. */
  async trouble(): Promise<unknown> {
    try {
      const pending = await pendingMigrations(this.#pool);
      return pending.length === 0 ? null : new Error(`the schema lacks ${pending.map(({ name }) => name).join(', ')}`);
    } catch (error) {
      return error;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
