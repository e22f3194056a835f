import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { type Service, startService } from '../service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The value of every sample, by its name with its labels. */
async function samples(): Promise<Map<string, number>> {
  const reply = await service.ask('GET', '/metrics');
  expect(reply).toMatchObject({ status: 200 });
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4; charset=utf-8$/);
  const found = new Map<string, number>();
  for (const line of reply.text.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, name = '', value] =
      /^([a-z0-9_]+(?:\{(?:[a-z_]+="[^"]*",?)*\})?) (\S+)$/i.exec(line) ??
      expect.unreachable(`not in Prometheus's format: ${line}`);
    found.set(name, Number(value));
  }
  return found;
}

test('counts every request by operation and status, and how long it took', async () => {
  const { key } = await service.newKey();
  const before = await samples();
  await service.ask('GET', '/v1/pets', { key });
  await service.ask('GET', '/v1/pets', { key });
  await service.ask('GET', '/v1/pets?limit=0', { key });
  await service.ask('GET', '/v1/pets');
  await service.ask('GET', '/v1/nothing');
  const after = await samples();
  const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(more('http_requests_total{operation="listPets",status="200"}')).toBe(2);
  expect(more('http_requests_total{operation="listPets",status="400"}')).toBe(1);
  expect(more('http_requests_total{operation="listPets",status="401"}')).toBe(1);
  expect(more('http_requests_total{operation="",status="404"}')).toBe(1);
  expect(more('http_request_duration_seconds_count{operation="listPets"}')).toBe(4);
  expect(more('http_request_duration_seconds_bucket{le="+Inf",operation="listPets"}')).toBe(4);
  expect(more('http_request_duration_seconds_sum{operation="listPets"}')).toBeGreaterThan(0);
});

test('counts the calls of a deprecated operation by key, and of no other', async () => {
  const [caller, other] = [await service.newKey(), await service.newKey()];
  await service.ask('GET', '/v1/pets/1', { key: caller.key });
  await service.ask('GET', '/v1/pets/1', { key: caller.key });
  await service.ask('GET', '/v1/pets/1', { key: mint().key });
  await service.ask('GET', '/v1/pets', { key: other.key });
  const calls = [...(await samples())].filter(([name]) => name.startsWith('deprecated_operation_requests_total'));
  expect(calls).toEqual([[`deprecated_operation_requests_total{operation="getPet",key="${caller.stored.id}"}`, 2]]);
});

test('counts refusals by their code, and tells who waits for the database', async () => {
  const { key } = await service.newKey({ plan: 'enterprise', custom: { perMinute: 9, perDay: 1 } });
  expect((await samples()).get('rate_limit_refusals_total{code="rate_limit_exceeded"}')).toBe(0);
  await service.ask('GET', '/v1/pets', { key });
  expect(await service.ask('GET', '/v1/pets', { key })).toMatchObject({
    status: 429,
    json: { code: 'rate_limit_exceeded' },
  });
  const found = await samples();
  expect(found.get('rate_limit_refusals_total{code="rate_limit_exceeded"}')).toBe(1);
  for (const question of ['get', 'list', 'create', 'admit'])
    expect(found.get(`store_waiting_requests{question="${question}"}`)).toBe(0);
  expect(found.get('process_cpu_seconds_total')).toBeGreaterThan(0);
});

test('callers cannot make new samples: paths, methods and bad keys of all kinds count as one', async () => {
  const ask = (number: number) =>
    Promise.all([
      service.ask('GET', `/v1/nothing-${number}`),
      service.ask('GET', '/v1/pets', { key: mint().key }),
      service.ask(`M-SEARCH`, `/v1/pets/${number}`),
      service.ask('GET', `/v1/pets/${number}?q=${number}`, { key: mint().key }),
      service.ask('GET', '/docs/nothing', { headers: { 'user-agent': `agent ${number}` } }),
    ]);
  await ask(1);
  const before = [...(await samples()).keys()];
  for (let number = 2; number < 8; number++) await ask(number);
  expect([...(await samples()).keys()]).toEqual(before);
});
