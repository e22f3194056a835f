import type { components } from '../../generated/server.d.ts';
import type { JsonText } from '../json.ts';
import { Batch } from './batch.ts';
import { Connection, type Row, type Statement } from './connection.ts';

type Pet = components['schemas']['Pet'];
type NewPet = components['schemas']['NewPet'];

/** A page of animals, and after which id the next one begins: null on the last page. */
export interface Page {
  readonly pets: JsonText<Pet[]>;
  readonly next: bigint | null;
}

export interface PageQuestion {
  readonly status: Pet['status'] | null;
  /** Only animals with a greater id. */
  readonly after: bigint;
  readonly limit: number;
}

/** Milliseconds for one statement about animals; two of them and two of admission's stay under 5 seconds. */
const limit = 1_400;

/** More than wait for any statement that is not hanging. */
const most = 2_000;

// An animal as its JSON text. PostgreSQL prints it, nothing parses it again, and int64 stays digits all the way.
const json = (pet: string) =>
  `'{"id":' || ${pet}.id || ',"name":' || to_json(${pet}.name) || ',"categoryId":' || ${pet}.category_id || ',"status":"' || ${pet}.status || '"}'`;

const selectPets: Statement = {
  name: 'pets_get',
  text: `select id, ${json('pets')} from pets where id = any($1::bigint[])`,
};

// Of the two branches one finds nothing at once. The second is bounded by a range, not by `status = …`: with an equality
// PostgreSQL may walk the primary key and filter, which for a rare status reads the whole table.
const selectPages: Statement = {
  name: 'pets_list',
  text: `
    select page.number, pet.id, pet.json
    from unnest($1::text[], $2::bigint[], $3::int[]) with ordinality as page (status, after, rows, number)
    cross join lateral (
      (select id, ${json('pets')} as json from pets
        where page.status is null and id > page.after order by id limit page.rows)
      union all
      (select id, ${json('pets')} from pets
        where (pets.status, id) > (page.status, page.after) and pets.status <= page.status
        order by pets.status, id limit page.rows)
    ) as pet`,
};

// The rows get their ids in the order of the arrays, so the smallest id belongs to the first.
const insertPets: Statement = {
  name: 'pets_create',
  text: `
    with created as (
      insert into pets (name, category_id, status)
      select name, category_id, status
      from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as new (name, category_id, status, number)
      order by number
      returning *
    )
    select id, ${json('created')} from created order by id`,
};

/** The animals. Every question joins all those of its kind that are asked at the same time (see `Batch`). */
export class Pets {
  readonly #connections: readonly [Connection, Connection, Connection];
  readonly #get: Batch<bigint, JsonText<Pet> | null>;
  readonly #list: Batch<PageQuestion, Page>;
  readonly #create: Batch<NewPet, { id: bigint; pet: JsonText<Pet> }>;

  constructor(url: string) {
    const [get, list, create] = (this.#connections = [
      new Connection(url, limit),
      new Connection(url, limit),
      new Connection(url, limit),
    ]);
    this.#get = new Batch((ids) => getAll(get, ids), most);
    this.#list = new Batch((questions) => listAll(list, questions), most);
    this.#create = new Batch((pets) => createAll(create, pets), most);
  }

  /** The animal with this id as JSON text, or null. */
  get(id: bigint): Promise<JsonText<Pet> | null> {
    return this.#get.ask(id);
  }

  /** A page of animals in the order of their ids. */
  list(question: PageQuestion): Promise<Page> {
    return this.#list.ask(question);
  }

  /** Stores an animal; resolves once it is committed. */
  create(pet: NewPet): Promise<{ id: bigint; pet: JsonText<Pet> }> {
    return this.#create.ask(pet);
  }

  /** How many requests wait for a statement, by kind. */
  get waiting(): Readonly<Record<string, number>> {
    return { get: this.#get.waiting, list: this.#list.waiting, create: this.#create.waiting };
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

async function getAll(connection: Connection, ids: readonly bigint[]): Promise<(JsonText<Pet> | null)[]> {
  const rows = await connection.run(selectPets, [`{${ids.join(',')}}`]);
  const found = new Map(rows.map(([id, text]) => [id, petText(text)]));
  return ids.map((id) => found.get(`${id}`) ?? null);
}

/** Questions that differ only in `limit` are one: the longest page holds the others. */
async function listAll(connection: Connection, questions: readonly PageQuestion[]): Promise<Page[]> {
  const groups = new Map<string, { question: PageQuestion; rows: Row[]; pages: Map<number, Page> }>();
  const groupOf = questions.map((question) => {
    const key = `${question.status} ${question.after}`;
    const group = groups.get(key) ?? { question, rows: [], pages: new Map() };
    if (question.limit > group.question.limit) group.question = question;
    groups.set(key, group);
    return group;
  });
  const wanted = [...groups.values()];
  const answer = await connection.run(selectPages, [
    wanted.map(({ question }) => question.status),
    `{${wanted.map(({ question }) => question.after).join(',')}}`,
    // One row more than the page tells whether there is another page.
    `{${wanted.map(({ question }) => question.limit + 1).join(',')}}`,
  ]);
  for (const row of answer) wanted[Number(row[0]) - 1]?.rows.push(row);
  return questions.map((question, index) => {
    // groupOf has one group a question.
    const { rows, pages } = groupOf[index] as (typeof wanted)[number];
    let page = pages.get(question.limit);
    if (page === undefined) {
      const here = rows.slice(0, question.limit);
      page = {
        // A list of Pet texts joined is the text of a list of Pet.
        pets: `[${here.map(([, , text]) => text).join(',')}]` as JsonText<Pet[]>,
        next: rows.length > question.limit ? BigInt(here.at(-1)?.[1] ?? 0) : null,
      };
      pages.set(question.limit, page);
    }
    return page;
  });
}

async function createAll(connection: Connection, pets: readonly NewPet[]): Promise<{ id: bigint; pet: JsonText<Pet> }[]> {
  const rows = await connection.run(insertPets, [
    pets.map(({ name }) => name),
    `{${pets.map(({ categoryId }) => categoryId).join(',')}}`,
    pets.map(({ status }) => status),
  ]);
  return rows.map(([id, text]) => ({ id: BigInt(id ?? 0), pet: petText(text) }));
}

function petText(text: string | null | undefined): JsonText<Pet> {
  // What the statements above print; the tests hold every reply against the document's schema.
  return text as JsonText<Pet>;
}
