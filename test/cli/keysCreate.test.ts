import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../../src/apiKey.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { run } from './program.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const create = (...args: string[]) => run(['keys', 'create', ...args], { DATABASE_URL: database.url });
const created = async (...args: string[]) => JSON.parse((await create(...args, '--json')).stdout);

describe.concurrent('keys create', () => {
  test('prints the key alone on stdout, and what it belongs to on stderr', async () => {
    const { code, stdout, stderr } = await create('--plan', 'free', '--name', 'Ann’s Ζωή');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ast_live_[0-9A-Za-z]{38}\n$/);
    expect(stderr).toMatch(/^Key key_\w+ of project prj_\w+ \(free\)\. [^\n]+\n$/);
    expect(stderr).not.toContain(stdout.trim());
    const rows = await database.query(
      "select encode(fingerprint, 'hex') as stored, k.name, p.name as project from api_keys k join projects p on p.id = k.project_id where k.name like 'Ann%'",
    );
    expect(rows).toEqual([{ stored: fingerprint(stdout.trim()), name: 'Ann’s Ζωή', project: 'Ann’s Ζωή' }]);
  });

  test('--json is the key with all about it', async () => {
    const before = Date.now();
    const key = await created('--plan', 'pro');
    expect(key).toEqual({
      id: expect.stringMatching(/^key_\w+$/),
      name: null,
      projectId: expect.stringMatching(/^prj_\w+$/),
      plan: 'pro',
      perMinute: 300,
      perDay: 10_000,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      bannedUntil: null,
      key: expect.stringMatching(/^ast_live_[0-9A-Za-z]{38}$/),
    });
    expect(Math.abs(Date.parse(key.createdAt) - before)).toBeLessThan(60_000);
  });

  test('--plan enterprise takes its own numbers, to the largest', async () => {
    expect(await created('--plan', 'enterprise', '--per-minute', '1', '--per-day', '1000000000')).toMatchObject({
      plan: 'enterprise',
      perMinute: 1,
      perDay: 1_000_000_000,
    });
  });

  test('--project adds a key to a project, which keeps its plan and its numbers', async () => {
    const first = await created('--plan', 'enterprise', '--per-minute', '7', '--per-day', '70');
    const second = await created('--project', first.projectId, '--name', 'second');
    expect(second).toMatchObject({
      projectId: first.projectId,
      name: 'second',
      plan: 'enterprise',
      perMinute: 7,
      perDay: 70,
    });
    expect(second.id).not.toBe(first.id);
    expect(second.key).not.toBe(first.key);
  });

  test('--project of no project is exit 1, and stores nothing', async () => {
    expect(await create('--project', 'prj_none', '--name', 'orphan')).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'There is no project prj_none. See: animal-store projects list\n',
    });
    expect(await database.query("select from api_keys where name = 'orphan'")).toEqual([]);
  });

  test('--expires with a date is its first instant, UTC', async () => {
    expect(await created('--plan', 'free', '--expires', '2999-01-31')).toMatchObject({
      expiresAt: '2999-01-31T00:00:00.000Z',
    });
  });
});

describe.concurrent('keys create refuses, with exit 2 and the remedy', () => {
  const enterprise = ['--plan', 'enterprise'];
  test.each<[string[], string]>([
    [[], '--plan'],
    [['--plan', 'free', '--project', 'prj_1'], '--project'],
    [['--plan'], '--plan'],
    [['--plan', 'gold'], 'free, pro, business, enterprise'],
    [['--plan', 'constructor'], 'free, pro, business, enterprise'],
    [[...enterprise, '--per-minute', '5'], '--per-minute N and --per-day N'],
    [[...enterprise, '--per-day', '5'], '--per-minute N and --per-day N'],
    [['--plan', 'free', '--per-minute', '5', '--per-day', '5'], 'free has its own'],
    [['--project', 'prj_1', '--per-minute', '5', '--per-day', '5'], 'projects set-plan'],
    [[...enterprise, '--per-minute', '0', '--per-day', '5'], 'whole number from 1 to 1000000000'],
    [[...enterprise, '--per-minute', '5', '--per-day', '1000000001'], 'whole number from 1 to 1000000000'],
    [['--plan', 'free', '--expires', '2020-01-31'], 'in the past'],
    [['--plan', 'free', '--expires', 'soon'], 'ISO 8601'],
    [['--plan', 'free', '--name', 'a\ttab'], 'without control characters'],
    [['--plan', 'free', '--name', 'once', 'twice'], 'too many arguments'],
  ])('%j', async (args, remedy) => {
    // No database is needed to say so.
    const { code, stdout, stderr } = await run(['keys', 'create', ...args], {
      DATABASE_URL: 'postgres://ann:geheim@127.0.0.1:1/pets',
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(remedy);
    expect(stderr).toMatch(/^[^\n]+\n$/);
  });
});
