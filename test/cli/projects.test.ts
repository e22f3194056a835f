import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';
import { run } from './program.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const projects = (...args: string[]) => run(['projects', ...args], { DATABASE_URL: service.database.url });
const remaining = async (key: string) =>
  Number((await service.ask('GET', '/v1/pets', { key })).headers.get('x-ratelimit-remaining'));

test('projects list tells what is used in this minute and today, oldest first', async () => {
  expect(await projects('list')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^No projects yet\. [^\n]+\n$/),
  });
  expect(await projects('list', '--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });

  await service.database.setClock('2030-05-05T11:00:30Z');
  const custom = await service.newKey({ plan: 'enterprise', custom: { perMinute: 5, perDay: 50 } });
  const free = await service.newKey({ plan: 'free', custom: null });
  for (const _ of [1, 2, 3]) await service.ask('GET', '/v1/pets', { key: free.key });
  await service.database.setClock('2030-05-05T11:02:00Z');
  await service.ask('GET', '/v1/pets', { key: free.key });

  const { code, stdout, stderr } = await projects('list', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const common = { name: 'test', createdAt: expect.stringMatching(/^2030-05-05T11:00:\d\d\.\d{3}Z$/) };
  expect(JSON.parse(stdout)).toEqual([
    {
      ...common,
      id: custom.stored.projectId,
      plan: 'enterprise',
      perMinute: 5,
      perDay: 50,
      usedThisMinute: 0,
      usedToday: 0,
    },
    {
      ...common,
      id: free.stored.projectId,
      plan: 'free',
      perMinute: 60,
      perDay: 1000,
      usedThisMinute: 1,
      usedToday: 4,
    },
  ]);

  await service.database.setClock('2030-05-06T00:00:00Z');
  expect(JSON.parse((await projects('list', '--json')).stdout)[1]).toMatchObject({ usedThisMinute: 0, usedToday: 0 });
});

describe('projects set-plan', () => {
  test('counts from the next request on, and what is used stays used', async () => {
    const { key, stored } = await service.newKey({ plan: 'free', custom: null });
    expect(await remaining(key)).toBe(59);
    expect(await projects('set-plan', stored.projectId, '--plan', 'pro', '--json')).toEqual({
      code: 0,
      signal: null,
      stdout: `${JSON.stringify({ id: stored.projectId, plan: 'pro' }, null, 2)}\n`,
      stderr: '',
    });
    expect(await remaining(key)).toBe(298);
    expect(
      await projects('set-plan', stored.projectId, '--plan', 'enterprise', '--per-minute', '10', '--per-day', '20'),
    ).toMatchObject({ code: 0 });
    expect(await remaining(key)).toBe(7);
    expect(await projects('set-plan', stored.projectId, '--plan', 'free')).toMatchObject({ code: 0 });
    expect(await remaining(key)).toBe(56);
  });

  test('of no project is exit 1', async () => {
    expect(await projects('set-plan', 'prj_none', '--plan', 'pro')).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'There is no project prj_none. See: animal-store projects list\n',
    });
  });

  test.concurrent.each([
    [[], '--plan'],
    [['--plan', 'enterprise', '--per-minute', '5'], '--per-minute N and --per-day N'],
    [['--plan', 'enterprise', '--per-minute', '5', '--per-day', '1000000001'], 'whole number from 1 to 1000000000'],
    [['--plan', 'pro', '--per-minute', '5', '--per-day', '5'], 'pro has its own'],
  ])('%j is exit 2', async (args, remedy) => {
    const { code, stdout, stderr } = await projects('set-plan', 'prj_none', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(remedy);
  });
});
