import pg from 'pg';
import { unavailable } from '../failure.ts';
import { Execution, type Row, type Statement, type Value } from './statement.ts';

/**
 * SQLSTATEs that say "not now" rather than "not so": connection lost (08), refused (28) or to no database (3D), resources (53), operator intervention and
 * cancelled statements (57), read-only after a failover (25006), lost a lock or a serialisation race (40, 55P03).
 * PostgreSQL documentation, appendix A.
 */
export function isPassing(error: unknown): boolean {
  const code = sqlState(error);
  return code === null || /^(08|28|3D|53|57|40)/.test(code) || code === '25006' || code === '55P03';
}

/** The SQLSTATE of a PostgreSQL error; null for everything else, such as a lost or refused connection. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/**
 * One connection to PostgreSQL for statements that come one after the other. It opens with the first statement and
 * opens again after it was lost; a statement that does not answer within `limit` milliseconds, connecting included,
 * gives it up.
 */
export class Connection {
  readonly #url: string;
  readonly #limit: number;
  readonly #settings: string;
  #client: pg.Client | null = null;

  /** `settings` are PostgreSQL run-time parameters of this connection. */
  constructor(url: string, limit: number, settings: Readonly<Record<string, string>> = {}) {
    // Settings of the operator's own go before ours; pg would let them take our place.
    const address = new URL(url);
    const given = address.searchParams.get('options') ?? '';
    address.searchParams.delete('options');
    this.#url = address.href;
    this.#limit = limit;
    // PostgreSQL gives up a little earlier than we do, so that a slow statement is rolled back for certain; its plans
    // are made once (the statements are few and fixed), and compiling them would take longer than running them.
    const all = { statement_timeout: `${limit - 200}`, plan_cache_mode: 'force_generic_plan', jit: 'off', ...settings };
    this.#settings = [given, ...Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)].join(' ');
  }

  /** The rows. Throws `Failure` 503 where the database is away, or PostgreSQL's own error. */
  run(statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const giveUp = (): void => {
        if (isOver) return;
        isOver = true;
        this.#drop();
        reject(unavailable(new Error(`PostgreSQL did not answer ${statement.name} within ${this.#limit} ms`)));
      };
      // An event loop with much to do may be late for an answer that has long been there: it reads first.
      const timer = setTimeout(() => setImmediate(giveUp), this.#limit);
      const done = (rows: readonly Row[]): void => {
        isOver = true;
        clearTimeout(timer);
        resolve(rows);
      };
      const failed = (error: unknown): void => {
        // What fails because the connection was dropped has been answered, and the next one may be open already.
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        if (!isPassing(error)) {
          reject(error);
          return;
        }
        // A cancelled statement (57014) or a lost race leaves the connection as good as it was.
        if (!['57014', '55P03', '40001', '40P01'].includes(sqlState(error) ?? '')) this.#drop();
        reject(unavailable(error));
      };
      this.#open().then((client) => client.query(new Execution(statement, values, done, failed)), failed);
    });
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  async #open(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'animal-store',
      options: this.#settings,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    try {
      await client.connect();
    } catch (error) {
      if (this.#client === client) this.#client = null;
      throw error;
    }
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    // The socket is cut, not closed in good order: a peer that hangs would never take part in that.
    // `connection.stream` is not in @types/pg, but has been pg's own name for the socket for all of version 8.
    (client as unknown as { connection?: { stream?: { destroy(): void } } } | null)?.connection?.stream?.destroy();
  }
}
