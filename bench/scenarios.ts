/** What is asked of a server, and what the database says the answer is. */

import type pg from 'pg';
import { type Animal, columns, type Status } from './animals.ts';

/** One request. */
export type Ask =
  | {
      readonly kind: 'list';
      readonly limit: number;
      readonly status?: Status | undefined;
      readonly cursor?: string | undefined;
      readonly after?: number;
    }
  | { readonly kind: 'get'; readonly id: number }
  | { readonly kind: 'create'; readonly animal: Omit<Animal, 'id'> };

export interface Scenario {
  readonly title: string;
  /** Draws a request for a table of so many animals. */
  readonly draw: (animals: number) => Ask;
}

const below = (end: number): number => Math.floor(Math.random() * end);
const oneOf = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;

const hotList = (): Ask => ({ kind: 'list', limit: 20 });
const someGet = (animals: number): Ask => ({ kind: 'get', id: 1 + below(animals) });
const someCreate = (): Ask => ({
  kind: 'create',
  animal: {
    name: `Newcomer ${below(1e6)}`,
    categoryId: 1 + below(50),
    status: oneOf(['available', 'pending', 'sold']),
  },
});

/** The scenarios of the main table, by the name that `--scenario` takes. */
export const scenarios = {
  hot: { title: 'Hot list: GET /v1/pets?limit=20', draw: hotList },
  lists: {
    title: 'Lists with a random limit of 1 to 100 and a random status or none',
    draw: () => ({ kind: 'list', limit: 1 + below(100), status: oneOf([undefined, 'available', 'pending', 'sold']) }),
  },
  get: { title: 'One animal by a random id: GET /v1/pets/{petId}', draw: someGet },
  mix: {
    title: 'Mix: 80 % hot list, 15 % get, 5 % create',
    draw: (animals) => {
      const share = below(100);
      return share < 80 ? hotList() : share < 95 ? someGet(animals) : someCreate();
    },
  },
  available: { title: 'First page, status=available', draw: () => ({ kind: 'list', limit: 20, status: 'available' }) },
  sold: { title: 'First page, status=sold', draw: () => ({ kind: 'list', limit: 20, status: 'sold' }) },
  rare: {
    title: 'First page of a rare status (pending)',
    draw: () => ({ kind: 'list', limit: 20, status: 'pending' }),
  },
  create: { title: 'Create: POST /v1/pets', draw: someCreate },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

/** The request line's second word. */
export const pathOf = (ask: Ask): string => {
  if (ask.kind === 'get') return `/v1/pets/${ask.id}`;
  if (ask.kind === 'create') return '/v1/pets';
  const query = new URLSearchParams({ limit: String(ask.limit) });
  if (ask.status) query.set('status', ask.status);
  if (ask.cursor) query.set('cursor', ask.cursor);
  return `/v1/pets?${query}`;
};

/** What a right reply to `ask` holds, as the database has it now. A created animal has an id that nobody knows yet. */
export const answerTo = async (ask: Ask, database: pg.Client): Promise<unknown> => {
  if (ask.kind === 'create') return ask.animal;
  if (ask.kind === 'get') {
    const { rows } = await database.query(`select ${columns} from pets where id = $1`, [ask.id]);
    return rows[0];
  }
  const { rows } = await database.query(
    `select ${columns} from pets where id > $2 ${ask.status ? 'and status = $3' : ''} order by id limit $1`,
    ask.status ? [ask.limit, ask.after ?? 0, ask.status] : [ask.limit, ask.after ?? 0],
  );
  return rows;
};
