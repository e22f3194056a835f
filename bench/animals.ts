/** The animals of a benchmark's database. */

import pg from 'pg';

export type Status = 'available' | 'pending' | 'sold';

export interface Animal {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: Status;
}

/** The columns of `pets` as the contract names them. */
export const columns = 'id, name, category_id as "categoryId", status::text as status';

/** How many animals have the rare status, however many there are. */
export const rareAnimals = 100;

/** Two of three animals are `available`, the third `sold`, and a hundred of all, evenly spread, `pending`. */
const status = `case when i % ($1::bigint / ${rareAnimals}) = 0 then 'pending' when i % 3 = 0 then 'sold' else 'available' end`;

/** Does `work` over a connection on which int8 arrives as a number; no benchmark comes near 2^53 animals. */
export const withDatabase = async <T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({
    connectionString: database,
    types: {
      getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Fills the empty table `pets` with animals 1 to `count`, and leaves the database at rest. */
export const fill = (database: string, count: number): Promise<void> =>
  withDatabase(database, async (client) => {
    // The column may be a text or an enum of the contestant's own.
    const {
      rows: [column],
    } = await client.query<{ type: string }>(
      `select format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = 'pets'::regclass and attname = 'status'`,
    );
    await client.query(
      `insert into pets (name, category_id, status)
       select 'Animal ' || i, 1 + i % 50, (${status})::${column?.type ?? 'text'} from generate_series(1, $1::bigint) i`,
      [count],
    );
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  });
