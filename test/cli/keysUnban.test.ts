import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';
import { run, until } from './program.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const unban = (...args: string[]) => run(['keys', 'unban', ...args], { DATABASE_URL: service.database.url });

test('a ban is lifted, and felt within a second', async () => {
  const { key, stored } = await service.newKey();
  await service.database.query("update api_keys set banned_until = now() + interval '1 hour' where id = $1", [
    stored.id,
  ]);
  expect(await service.ask('GET', '/v1/pets', { key })).toMatchObject({
    status: 429,
    json: { code: 'api_key_banned' },
  });
  expect(await unban(stored.id, '--json')).toEqual({
    code: 0,
    signal: null,
    stdout: `${JSON.stringify({ id: stored.id, bannedUntil: null }, null, 2)}\n`,
    stderr: '',
  });
  await until(async () => (await service.ask('GET', '/v1/pets', { key })).status === 200, 1);
});

test('a key without a ban is no error', async () => {
  const { stored } = await service.newKey();
  expect(await unban(stored.id)).toMatchObject({ code: 0, stderr: '' });
});

test('an unknown key is exit 1', async () => {
  expect(await unban('key_none')).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: 'There is no such key. See: animal-store keys list\n',
  });
});
