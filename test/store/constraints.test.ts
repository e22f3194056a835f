import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entries, items, member, resolve } from '../../src/contract/document.ts';
import { document } from '../contract/edited.ts';
import { cloneDatabase, type Database } from '../database.ts';

// What openapi.yaml says of Pet and what PostgreSQL holds, side by side: the one cannot change without the other.

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const { root } = document;
const schemas = member(member(root, 'components'), 'schemas');
const properties = (schema: string) => entries(member(member(schemas, schema), 'properties'));
const property = (schema: string, name: string) =>
  resolve(root, member(member(member(schemas, schema), 'properties'), name));
const column = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function constraint(name: string): Promise<string> {
  const [row] = await database.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'pets'::regclass and conname = $1 and contype = 'c' and convalidated`,
    [name],
  );
  return row?.text ?? '';
}

/** All but the one that is printed from the others. */
async function columns() {
  return database.query<{ name: string; type: string; not_null: boolean; identity: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as not_null, attidentity as identity
     from pg_attribute where attrelid = 'pets'::regclass and attnum > 0 and not attisdropped and attname <> 'json'
     order by attnum`,
  );
}

describe('the table of animals', () => {
  test('has a column for every property of Pet, and no other', async () => {
    expect((await columns()).map(({ name }) => name)).toEqual(properties('Pet').map(([name]) => column(name)));
  });

  test('holds an int64 in a bigint and a text in a text, and nothing is left out that is required', async () => {
    const required = items(member(member(schemas, 'Pet'), 'required'));
    const expected = properties('Pet').map(([name]) => {
      const schema = property('Pet', name);
      return {
        name: column(name),
        type: member(schema, 'format') === 'int64' ? 'bigint' : 'text',
        not_null: required.includes(name),
      };
    });
    expect((await columns()).map(({ name, type, not_null }) => ({ name, type, not_null }))).toEqual(expected);
  });

  test('prints every property of Pet, in the document’s order, and no other', async () => {
    const [row] = await database.query<{ json: string }>(
      `insert into pets (name, category_id, status) values ('Rex', 5, 'sold') returning json`,
    );
    expect(Object.keys(JSON.parse(row?.json ?? ''))).toEqual(properties('Pet').map(([name]) => name));
  });

  test('gives the ids itself', async () => {
    expect((await columns()).filter(({ identity }) => identity === 'a').map(({ name }) => name)).toEqual(['id']);
  });

  test('takes names as long as the document does', async () => {
    const [least, most] = ((await constraint('pets_name_length')).match(/\d+/g) ?? []).map(Number);
    for (const schema of ['Pet', 'NewPet']) {
      expect(member(property(schema, 'name'), 'minLength')).toBe(least);
      expect(member(property(schema, 'name'), 'maxLength')).toBe(most);
    }
    expect(await constraint('pets_name_length')).toContain('char_length(name)');
  });

  test('takes the document’s statuses, and no other', async () => {
    const values = [...(await constraint('pets_status_values')).matchAll(/'([^']*)'/g)].map(([, value]) => value);
    expect(values).toEqual(items(member(member(schemas, 'PetStatus'), 'enum')));
  });

  test.each([
    ['pets_name_length', ['', 5, 'sold']],
    ['pets_name_length', ['x'.repeat(256), 5, 'sold']],
    ['pets_status_values', ['Rex', 5, 'gone']],
  ])('refuses by %s what the door would have refused: %j', async (name, values) => {
    await expect(
      database.query('insert into pets (name, category_id, status) values ($1, $2, $3)', values),
    ).rejects.toMatchObject({ constraint: name });
  });

  test.each([
    ['x', '-9223372036854775808'],
    ['😀'.repeat(255), '9223372036854775807'],
  ])('takes what the door takes', async (name, category) => {
    await expect(
      database.query("insert into pets (name, category_id, status) values ($1, $2, 'sold')", [name, category]),
    ).resolves.toEqual([]);
  });
});

test('every constraint has a name of its own making, none PostgreSQL’s', async () => {
  const rows = await database.query<{ name: string }>(
    `select conrelid::regclass || '.' || conname as name from pg_constraint
     where connamespace = 'public'::regnamespace and contype in ('c', 'u', 'f', 'p') and conname ~ '(_check|_excl)\\d*$'`,
  );
  expect(rows).toEqual([]);
});
