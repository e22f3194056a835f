import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';
import { run } from './program.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const list = (...args: string[]) => run(['keys', 'list', ...args], { DATABASE_URL: service.database.url });
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('no keys are an empty array, or a note on stderr beside an empty stdout', async () => {
  const [json, text] = await Promise.all([list('--json'), list()]);
  expect(json).toEqual({ code: 0, signal: null, stdout: '[]\n', stderr: '' });
  expect(text).toMatchObject({ code: 0, stdout: '' });
  expect(text.stderr).toMatch(/^No keys yet\. [^\n]+\n$/);
});

test('every key, oldest first, with all about it and never the secret', async () => {
  const expiresAt = new Date('2999-01-31T00:00:00Z');
  const used = await service.newKey({ plan: 'free', custom: null }, { expiresAt });
  const revoked = await service.newKey({ plan: 'enterprise', custom: { perMinute: 5, perDay: 50 } });
  const banned = await service.newKey({ plan: 'pro', custom: null });
  const formerlyBanned = await service.newKey({ plan: 'business', custom: null });
  const before = Date.now();
  expect(await service.ask('GET', '/v1/pets', { key: used.key })).toMatchObject({ status: 200 });
  await service.operator.keys.revoke({ id: revoked.stored.id });
  await service.database.query("update api_keys set banned_until = '2999-01-01T12:00:00Z' where id = $1", [
    banned.stored.id,
  ]);
  await service.database.query("update api_keys set banned_until = '2020-01-01T12:00:00Z' where id = $1", [
    formerlyBanned.stored.id,
  ]);

  const [json, text] = await Promise.all([list('--json'), list()]);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  const keys = JSON.parse(json.stdout);
  const plain = {
    name: 'test',
    createdAt: instant,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    bannedUntil: null,
  };
  const ids = ({ id, projectId }: { id: string; projectId: string }) => ({ id, projectId });
  expect(keys).toEqual([
    {
      ...plain,
      ...ids(used.stored),
      plan: 'free',
      perMinute: 60,
      perDay: 1000,
      expiresAt: '2999-01-31T00:00:00.000Z',
      lastUsedAt: instant,
    },
    { ...plain, ...ids(revoked.stored), plan: 'enterprise', perMinute: 5, perDay: 50, revokedAt: instant },
    {
      ...plain,
      ...ids(banned.stored),
      plan: 'pro',
      perMinute: 300,
      perDay: 10_000,
      bannedUntil: '2999-01-01T12:00:00.000Z',
    },
    { ...plain, ...ids(formerlyBanned.stored), plan: 'business', perMinute: 1000, perDay: 100_000 },
  ]);
  expect(Math.abs(Date.parse(keys[0].lastUsedAt) - before)).toBeLessThan(15_000);

  const [head, ...rows] = text.stdout.trimEnd().split('\n');
  expect(head?.split(/ +/)).toEqual(Object.keys(keys[0]));
  expect(rows.map((row) => row.split(/ +/)[0])).toEqual(keys.map(({ id }: { id: string }) => id));
  for (const { key } of [used, revoked, banned, formerlyBanned]) expect(json.stdout + text.stdout).not.toContain(key);
  const stored = await service.database.query<{ hex: string }>(
    "select encode(fingerprint, 'hex') as hex from api_keys",
  );
  for (const { hex } of stored) expect(json.stdout + text.stdout).not.toContain(hex);
});
