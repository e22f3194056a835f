import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { type Service, startService } from '../service.ts';
import { run } from './program.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const revoke = (...args: string[]) => run(['keys', 'revoke', ...args], { DATABASE_URL: service.database.url });
const statusOf = async (key: string) => (await service.ask('GET', '/v1/pets', { key })).status;
const revokedAt = (id: string) => service.database.query('select revoked_at from api_keys where id = $1', [id]);

test.concurrent.each([
  ['its id', 'id'],
  ['the key itself', 'key'],
])('a key revoked by %s is refused at once, and its neighbour is not', async (_, by) => {
  const { key, stored } = await service.newKey();
  const other = await service.newKey();
  expect(await statusOf(key)).toBe(200);
  const { code, stdout, stderr } = await revoke(by === 'id' ? stored.id : key);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain(key);
  expect(await statusOf(key)).toBe(401);
  expect(await statusOf(other.key)).toBe(200);
});

test.concurrent('twice is no error, and the first time stands', async () => {
  const { stored } = await service.newKey();
  expect(await revoke(stored.id, '--json')).toEqual({
    code: 0,
    signal: null,
    stdout: '{\n  "revoked": true\n}\n',
    stderr: '',
  });
  const first = await revokedAt(stored.id);
  expect(await revoke(stored.id)).toMatchObject({ code: 0 });
  expect(await revokedAt(stored.id)).toEqual(first);
});

test.concurrent.each([
  ['an id', 'key_none'],
  ['a key', mint().key],
  ['a key with a slip', `${mint().key.slice(0, -1)}!`],
  ['nothing', ''],
])('%s that is unknown is exit 1, and is not repeated', async (_, unknown) => {
  expect(await revoke(unknown)).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: 'There is no such key. See: animal-store keys list\n',
  });
});
