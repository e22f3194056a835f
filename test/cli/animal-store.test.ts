import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cloneDatabase } from '../database.ts';
import { newFolder, postgresOf, root, run, serve, start } from './program.ts';

/** Refuses every connection: a command that asks it for anything exits 1. */
const nowhere = { DATABASE_URL: 'postgres://ann:geheim@127.0.0.1:1/pets' };

describe.concurrent('help', () => {
  test.each([
    ['--help', ['serve', 'migrate', 'keys', 'projects']],
    ['help', ['serve', 'migrate', 'keys', 'projects']],
    ['keys --help', ['create', 'list', 'revoke', 'unban']],
    ['projects --help', ['list', 'set-plan']],
    ['keys create --help', ['--plan', '--project', '--name', '--per-minute', '--per-day', '--expires', '--json']],
    ['help keys create', ['--plan', '--project', '--name', '--per-minute', '--per-day', '--expires', '--json']],
    ['projects set-plan --help', ['<project-id>', '--plan', '--per-minute', '--per-day', '--json']],
    ['serve --help', ['run the service']],
    ['migrate --help', ['--json']],
    ['keys list --help', ['--json']],
    ['keys revoke --help', ['<key>', '--json']],
    ['keys unban --help', ['<key-id>', '--json']],
    ['projects list --help', ['--json']],
  ])('%s goes to stdout and tells of %j', async (line, words) => {
    const { code, stdout, stderr } = await run(line.split(' '), nowhere);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of words) expect(stdout).toContain(word);
    expect(stdout).toMatch(/^Usage: animal-store /);
  });
});

describe.concurrent('wrong usage is exit 2, says so on stderr, and asks no database', () => {
  test.each([
    '',
    'keys',
    'projects',
    'feed',
    'keys feed',
    'help feed',
    'serve now',
    'keys list all',
    'keys list --xml',
    'keys revoke',
    'projects set-plan --plan free',
  ])('animal-store %s', async (line) => {
    const { code, stdout, stderr } = await run(line.split(' ').filter(Boolean), nowhere);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^(?:error: |Usage: )/);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});

describe.concurrent('a database that cannot be used is exit 1 and one line', () => {
  test.each([
    'migrate',
    'keys list',
    'keys create --plan free',
    'keys revoke key_1',
    'keys unban key_1',
    'projects list',
    'projects set-plan prj_1 --plan free',
  ])('%s, where nothing listens', async (line) => {
    expect(await run(line.split(' '), nowhere)).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });

  test('a wrong password is named, and not shown', async () => {
    const database = await cloneDatabase();
    const url = new URL(database.url);
    url.password = 'geheim';
    const { code, stdout, stderr } = await run(['keys', 'list'], { DATABASE_URL: url.href });
    await database.drop();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The database cannot be reached: password authentication failed for user "[^\n]+\n$/);
    expect(stderr).not.toContain('geheim');
  });

  test('a database without the schema, where commands may not migrate', async () => {
    const database = await cloneDatabase();
    await database.query('drop schema public cascade; create schema public');
    const env = { DATABASE_URL: database.url, MIGRATE_ON_START: 'false' };
    const refused = await run(['keys', 'list'], env);
    const tables = await database.query("select from pg_class where relnamespace = 'public'::regnamespace");
    const migrated = await run(['migrate'], env);
    const listed = await run(['keys', 'list', '--json'], env);
    await database.drop();
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The database lacks 0001_\w+[^\n]*\. Run: animal-store migrate\n$/),
    });
    expect(tables).toEqual([]);
    expect(migrated.code).toBe(0);
    expect(listed).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  test('a folder that cannot hold one', async () => {
    const { code, stdout, stderr } = await run(['keys', 'list'], { DATA_DIR: `${root}/package.json` });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Cannot use [^\n]+ as the data folder: [^\n]*DATA_DIR[^\n]*\n$/);
  });
});

describe.concurrent('a stdout that takes nothing', () => {
  test('that was closed is no noise', async () => {
    const child = spawn(
      'sh',
      ['-c', `"$0" src/cli/animal-store.ts --help 2>"$1" | true; cat "$1"`, process.execPath, `${newFolder()}/stderr`],
      { cwd: root },
    );
    let output = '';
    child.stdout.on('data', (text) => (output += String(text)));
    child.stderr.on('data', (text) => (output += String(text)));
    await once(child, 'close');
    expect(output).toBe('');
  });

  test('that is full is exit 1: the result is lost', async () => {
    const child = spawn(process.execPath, ['src/cli/animal-store.ts', '--help'], {
      cwd: root,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (text) => (stderr += String(text)));
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The result could not be written: ENOSPC[^\n]*\n$/);
  });
});

test('on the embedded database, commands work before, beside and after a service, and leave nothing running', async () => {
  const env = { DATA_DIR: newFolder() };
  const before = await run(['keys', 'create', '--plan', 'pro'], env);
  expect(before.code).toBe(0);
  expect(postgresOf(env.DATA_DIR)).toBeNull();

  const service = await serve(env);
  await service.says(/API key/);
  const postgres = postgresOf(env.DATA_DIR);
  const beside = await run(['keys', 'create', '--plan', 'business'], env);
  for (const { stdout } of [before, beside])
    expect(
      await fetch(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${stdout.trim()}` } }),
    ).toMatchObject({ status: 200 });
  expect(postgresOf(env.DATA_DIR)).toBe(postgres);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });

  const after = start(['npx', 'animal-store', 'keys', 'list', '--json'], { ...env, npm_config_offline: 'true' });
  expect(await after.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(after.stdout)).toMatchObject([
    { plan: 'pro' },
    { plan: 'free', name: 'demo' },
    { plan: 'business' },
  ]);
  expect(postgresOf(env.DATA_DIR)).toBeNull();
});
