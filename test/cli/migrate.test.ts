import { expect, onTestFinished, test } from 'vitest';
import { cloneDatabase, type Database } from '../database.ts';
import { run } from './program.ts';

const names = ['0001_animals', '0002_keys_and_quotas', '0003_animals_as_json'];

async function emptyDatabase(): Promise<Database> {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  await database.query('drop schema public cascade; create schema public');
  return database;
}

test('several at once take each step once, and all of them end well', async () => {
  const database = await emptyDatabase();
  const results = await Promise.all(
    Array.from({ length: 4 }, () => run(['migrate', '--json'], { DATABASE_URL: database.url })),
  );
  for (const { code, stderr } of results) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const applied = results.flatMap(({ stdout }) => JSON.parse(stdout).applied);
  expect(applied.slice(0, names.length)).toEqual(names);
  expect(await database.query('select name from migrations order by name')).toEqual(
    applied.map((name: string) => ({ name })),
  );

  expect(await run(['migrate'], { DATABASE_URL: database.url })).toEqual({
    code: 0,
    signal: null,
    stdout: '',
    stderr: 'The database has the newest schema.\n',
  });
});

test('a step of a newer version that breaks this one is refused by its name; one that does not is fine', async () => {
  const database = await emptyDatabase();
  const env = { DATABASE_URL: database.url };
  expect((await run(['migrate'], env)).stdout).toMatch(new RegExp(`^applied\n${names.join('\n')}\n`));
  await database.query("insert into migrations (name, breaking) values ('9998_harmless', false)");
  expect(await run(['migrate'], env)).toMatchObject({ code: 0 });

  await database.query("insert into migrations (name, breaking) values ('9999_upheaval', true)");
  const commands = [['migrate'], ['keys', 'list'], ['serve'], ['serve', '--workers', '2']];
  const results = await Promise.all(
    commands.flatMap((args) =>
      ['true', 'false'].map((MIGRATE_ON_START) =>
        run(args, { ...env, MIGRATE_ON_START, PORT: '0', LOG_LEVEL: 'silent' }),
      ),
    ),
  );
  for (const { code, stdout, stderr } of results) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      'The database has a newer schema (9999_upheaval) that this version cannot work with. Run a newer version.',
    );
  }
});

test('animals that were there before their JSON was stored have it afterwards, to the letter', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  await database.query("alter table pets drop column json; delete from migrations where name = '0003_animals_as_json'");
  const animals = [
    'Rex',
    'a "quoted" one',
    'back\\slash',
    'line\nbreak',
    '\u007f',
    '\u0001',
    'Ünïcødé 😀',
    '{"n" : "x"}',
  ];
  await database.query(
    "insert into pets (name, category_id, status) select name, '-9223372036854775808'::bigint, 'sold' from unnest($1::text[]) as name",
    [animals],
  );
  expect(await run(['migrate'], { DATABASE_URL: database.url })).toMatchObject({ code: 0 });
  const rows = await database.query<{ json: string }>('select json from pets order by id');
  expect(rows.map(({ json }) => json)).toEqual(
    animals.map(
      (name, index) =>
        `{"id":${index + 1},"name":${JSON.stringify(name)},"categoryId":-9223372036854775808,"status":"sold"}`,
    ),
  );
});

test('a step that the database refuses changes nothing and is named', async () => {
  const database = await emptyDatabase();
  await database.query('create table pets (name text)');
  const { code, stdout, stderr } = await run(['migrate'], { DATABASE_URL: database.url });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    'migration 0001_animals failed; the database is as it was before it: relation "pets" already exists\n',
  );
  expect(await database.query('select from migrations')).toEqual([]);
});

test('projects on plans that the document gives no numbers for are named, and nothing is served', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  await database.query(
    `insert into projects (id, plan, per_minute, per_day)
     values ('a', 'gold', null, null), ('b', 'gold', 9, 9), ('c', 'enterprise', null, null),
            ('d', 'enterprise', 9, 9), ('e', 'free', null, null)`,
  );
  for (const [MIGRATE_ON_START = '', ...args] of [['true'], ['false'], ['true', '--workers', '2']]) {
    const env = { DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'silent', MIGRATE_ON_START };
    const { code, stderr } = await run(['serve', ...args], env);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      'The database has projects on plans that openapi.yaml gives no numbers for: enterprise (1), gold (2). ' +
        'Move them with "animal-store projects set-plan", or bring the plan back.',
    );
  }
});
