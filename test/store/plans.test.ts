import { afterAll, beforeAll, expect, test } from 'vitest';
import { Pets } from '../../src/store/pets.ts';
import { cloneDatabase, type Database } from '../database.ts';

const animals = 20_000;
const first = -(2n ** 63n);

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
  // The rare ones stand at the end, where a walk along the primary key would find them last.
  await database.query(
    `insert into pets (name, category_id, status)
     select 'Animal ' || n, n, case when n > ${animals} - 5 then 'pending' when n % 2 = 0 then 'sold' else 'available' end
     from generate_series(1, ${animals}) as n`,
  );
  await database.query('vacuum analyze pets');
});
afterAll(() => database.drop());

/** How many index entries and how many whole-table scans `question` costs; a connection tells of them when it closes. */
async function cost(question: (pets: Pets) => Promise<unknown>): Promise<{ entries: number; scans: number }> {
  const read = async () => {
    const [row] = await database.query<{ entries: string; scans: string; calls: string }>(
      `select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'pets') as entries,
              (select sum(idx_scan) from pg_stat_user_indexes where relname = 'pets') as calls,
              (select seq_scan from pg_stat_user_tables where relname = 'pets') as scans`,
    );
    return { entries: Number(row?.entries), scans: Number(row?.scans), calls: Number(row?.calls) };
  };
  const before = await read();
  const pets = new Pets(database.url);
  await question(pets);
  await pets.close();
  await expect
    .poll(async () => {
      const now = await read();
      return now.calls + now.scans;
    })
    .toBeGreaterThan(before.calls + before.scans);
  const after = await read();
  return { entries: after.entries - before.entries, scans: after.scans - before.scans };
}

const page = { after: first, limit: 20 };
test.each<[string, (pets: Pets) => Promise<unknown>, number]>([
  ['the first page', (pets) => pets.list({ ...page, status: null }), 21],
  ['a page in the middle', (pets) => pets.list({ ...page, status: null, after: 10_000n }), 21],
  ['the first page of a common status', (pets) => pets.list({ ...page, status: 'sold' }), 21],
  [
    'a page in the middle of a common status',
    (pets) => pets.list({ ...page, status: 'available', after: 10_000n }),
    21,
  ],
  ['a rare status', (pets) => pets.list({ ...page, status: 'pending' }), 5],
  ['one animal', (pets) => pets.get(12_345n), 1],
  ['an animal that is not there', (pets) => pets.get(-1n), 0],
])('%s costs what it shows, and no more for more animals', async (_, question, entries) => {
  expect(await cost(question)).toEqual({ entries, scans: 0 });
});
