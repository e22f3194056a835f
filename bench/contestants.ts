/** Who is measured: how each gets its database, its keys and its process. */

import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { mint } from '../src/apiKey.ts';
import { fill, withDatabase } from './animals.ts';
import type { Postgres } from './postgres.ts';
import { type Server, startServer } from './server.ts';

/** A server that runs over a filled database of its own. */
export interface Contestant extends Server {
  readonly name: string;
  readonly database: string;
  readonly keys: readonly string[];
  readonly animals: number;
  /** Whether a created animal is to be found in the database. */
  readonly stores: boolean;
}

interface Kind {
  readonly file: string;
  readonly args: readonly string[];
  readonly stores: boolean;
  /** Brings an empty database to the schema. */
  prepare(database: string): Promise<void>;
  createKeys(database: string, count: number): Promise<string[]>;
}

const run = promisify(execFile);
const pathTo = (file: string): string => new URL(file, import.meta.url).pathname;

const commandLine = async (database: string, args: string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, [pathTo('../src/cli/animal-store.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: database },
  });
  return stdout.trim();
};

/** No measurement is to run into a limit. */
const unlimited = ['--plan', 'enterprise', '--per-minute', '1000000000', '--per-day', '1000000000'];

const peer = (name: string, stores = true): Kind => ({
  file: pathTo(`peers/${name}.ts`),
  args: [],
  stores,
  async prepare(database) {
    const schema = await readFile(pathTo('peers/schema.sql'), 'utf8');
    await withDatabase(database, (client) => client.query(schema));
  },
  async createKeys(database, count) {
    const keys = Array.from({ length: count }, () => randomBytes(24).toString('base64url'));
    const hashes = keys.map((key) => createHash('sha256').update(key).digest());
    const insert = `insert into api_keys select hash, 'bench' from unnest($1::bytea[]) hash`;
    await withDatabase(database, (client) => client.query(insert, [hashes]));
    return keys;
  },
});

const own = (file: string, args: readonly string[]): Kind => ({
  file: pathTo(file),
  args,
  stores: true,
  prepare: async (database) => void (await commandLine(database, ['migrate'])),
  // The command line makes the first; a thousand more processes would take minutes, so the others are copies of its
  // rows, each key with a project of its own.
  async createKeys(database, count) {
    const first = await commandLine(database, ['keys', 'create', ...unlimited]);
    const others = Array.from({ length: count - 1 }, mint);
    const ids = others.map((_, index) => `bench-${index}`);
    await withDatabase(database, async (client) => {
      await client.query(
        `insert into projects select copy.* from projects p, unnest($1::text[]) as t (new_id),
         jsonb_populate_record(p, jsonb_build_object('id', new_id)) copy`,
        [ids],
      );
      await client.query(
        `insert into api_keys select copy.* from api_keys k, unnest($1::text[], $2::text[]) as t (new_id, print),
         jsonb_populate_record(k, jsonb_build_object('id', new_id, 'project_id', new_id, 'fingerprint', '\\x' || print)) copy`,
        [ids, others.map(({ fingerprint }) => fingerprint)],
      );
    });
    return [first, ...others.map(({ key }) => key)];
  },
});

const kinds = {
  baseline: peer('baseline'),
  express: peer('express'),
  ceiling: peer('ceiling', false),
  upsert: peer('upsert'),
  ours: own('../src/cli/animal-store.ts', ['serve']),
  'two-workers': own('../src/cli/animal-store.ts', ['serve', '--workers', '2']),
  'ours-without-limits': own('ours-without-limits.ts', []),
} as const satisfies Record<string, Kind>;

export type ContestantName = keyof typeof kinds;
export const contestantNames = Object.keys(kinds) as ContestantName[];

/** Makes a database of `animals` animals and `keys` keys, and starts the contestant over it. */
export const startContestant = async (
  name: ContestantName,
  { postgres, animals, keys = 1 }: { postgres: Postgres; animals: number; keys?: number },
): Promise<Contestant> => {
  const { file, args, stores, prepare, createKeys } = kinds[name];
  const database = await postgres.createDatabase(`${name} ${animals}`);
  await prepare(database);
  await fill(database, animals);
  const created = await createKeys(database, keys);
  const server = await startServer(file, [...args], database);
  return { ...server, name, database, keys: created, animals, stores };
};
