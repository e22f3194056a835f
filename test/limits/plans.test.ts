import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a key that was just refused feels its new plan on the next request, and keeps it', async () => {
  await service.database.setClock('2027-03-01T12:00:00Z');
  const { key, stored } = await service.newKey({ plan: 'enterprise', custom: { perMinute: 20, perDay: 1000 } });
  const list = async () => (await service.ask('GET', '/v1/pets', { key })).status;
  for (let request = 0; request < 20; request++) expect(await list()).toBe(200);
  expect(await list()).toBe(429);
  await service.operator.projects.setPlan(stored.projectId, { plan: 'pro', custom: null });
  await sleep(25); // Faster than this a key counts as one that floods.
  for (let request = 0; request < 5; request++) expect(await list()).toBe(200);
});
