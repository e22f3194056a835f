import type { components } from '../../generated/server.d.ts';
import type { JsonText } from '../json.ts';
import { Batch } from './batch.ts';
import { Connection } from './connection.ts';
import { arrayText, type Statement } from './statement.ts';

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

// In all of these `json` is an animal's text, as PostgreSQL printed it when it was stored: the id first, and digits
// all the way. Nothing parses it again.

const selectPets: Statement = {
  name: 'pets_get',
  text: 'select id, json from pets where id = any($1::bigint[])',
};

// One row for each page, its animals joined: rows of their own would cost more to receive than to find. The line break
// between two is JSON's white space, and in an animal's text it cannot occur. The second page is bounded by a range, not
// by `status = …`: with an equality PostgreSQL may walk the primary key and filter, which for a rare status reads the
// whole table.
const selectPages: Statement = {
  name: 'pets_list',
  text: `
    select page.number, case when page.status is null then (
      select string_agg(json, E',\\n') from (
        select json from pets where id > page.after order by id limit page.rows
      ) as pet
    ) else (
      select string_agg(json, E',\\n') from (
        select json from pets
        where (pets.status, id) > (page.status, page.after) and pets.status <= page.status
        order by pets.status, id limit page.rows
      ) as pet
    ) end
    from unnest($1::text[], $2::bigint[], $3::int[]) with ordinality as page (status, after, rows, number)`,
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
    select id, json from created order by id`,
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

  get unanswered(): number {
    return this.#get.unanswered + this.#list.unanswered + this.#create.unanswered;
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

async function getAll(connection: Connection, ids: readonly bigint[]): Promise<(JsonText<Pet> | null)[]> {
  const rows = await connection.run(selectPets, [arrayText(ids)]);
  const found = new Map(rows.map(([id, text]) => [id, petText(text)]));
  return ids.map((id) => found.get(`${id}`) ?? null);
}

/** Questions that differ only in `limit` are one: the longest page holds the others. */
async function listAll(connection: Connection, questions: readonly PageQuestion[]): Promise<Page[]> {
  const groups = new Map<string, PageQuestion>();
  for (const question of questions) {
    const key = keyOf(question);
    const longest = groups.get(key);
    if (longest === undefined || question.limit > longest.limit) groups.set(key, question);
  }
  const wanted = [...groups.values()];
  const rows = await connection.run(selectPages, [
    arrayText(wanted.map(({ status }) => status)),
    arrayText(wanted.map(({ after }) => after)),
    // One animal more than the page tells whether there is another page.
    arrayText(wanted.map(({ limit }) => limit + 1)),
  ]);
  const answers = new Map<string, LongestPage>();
  for (const [number, text] of rows) {
    const question = wanted[Number(number) - 1];
    if (question !== undefined) answers.set(keyOf(question), new LongestPage(text ?? ''));
  }
  return questions.map((question) => (answers.get(keyOf(question)) ?? new LongestPage('')).first(question.limit));
}

function keyOf({ status, after }: PageQuestion): string {
  return `${status} ${after}`;
}

/** Animals joined by a comma and a line break, of which any shorter page is the beginning. */
class LongestPage {
  readonly #text: string;
  /** Where each animal's text ends. */
  readonly #ends: readonly number[];
  readonly #pages = new Map<number, Page>();

  constructor(text: string) {
    const ends: number[] = [];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at - 1);
    if (text !== '') ends.push(text.length);
    this.#text = text;
    this.#ends = ends;
  }

  first(limit: number): Page {
    const known = this.#pages.get(limit);
    if (known !== undefined) return known;
    const end = this.#ends[Math.min(limit, this.#ends.length) - 1] ?? 0;
    const page = {
      // A list of Pet texts joined is the text of a list of Pet.
      pets: `[${this.#text.slice(0, end)}]` as JsonText<Pet[]>,
      next: this.#ends.length > limit ? this.#idAt(limit - 1) : null,
    };
    this.#pages.set(limit, page);
    return page;
  }

  #idAt(index: number): bigint {
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0) + 2;
    return BigInt(this.#text.slice(start + '{"id":'.length, this.#text.indexOf(',', start)));
  }
}

async function createAll(
  connection: Connection,
  pets: readonly NewPet[],
): Promise<{ id: bigint; pet: JsonText<Pet> }[]> {
  const rows = await connection.run(insertPets, [
    arrayText(pets.map(({ name }) => name)),
    arrayText(pets.map(({ categoryId }) => categoryId)),
    arrayText(pets.map(({ status }) => status)),
  ]);
  return rows.map(([id, text]) => ({ id: BigInt(id ?? 0), pet: petText(text) }));
}

function petText(text: string | null | undefined): JsonText<Pet> {
  // What the column `json` holds; the tests hold every reply against the document's schema.
  return text as JsonText<Pet>;
}
