import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test.each(['/livez', '/readyz'])(
  '%s is 200 without a key, to HEAD as well, and carries no rate limit',
  async (path) => {
    const reply = await service.ask('GET', path);
    expect(reply).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(reply.headers.has('x-ratelimit-limit')).toBe(false);
    expect(await service.ask('HEAD', path)).toMatchObject({ status: 200, text: '' });
  },
);

// What the database lacks, and how to mend it.
test.each([
  [
    'a step of the schema',
    "delete from migrations where name = '0001_animals'",
    "insert into migrations (name, breaking) values ('0001_animals', false)",
    '0001_animals',
  ],
  [
    'an understanding of a newer, breaking schema',
    "insert into migrations (name, breaking) values ('9999_upheaval', true)",
    "delete from migrations where name = '9999_upheaval'",
    '9999_upheaval',
  ],
  ['the schema', 'alter table migrations rename to hidden', 'alter table hidden rename to migrations', '0001_animals'],
])(
  '/readyz is 503 where the database lacks %s, which the log names, and 200 again after that; /livez stays 200',
  async (_, damage, repair, named) => {
    await service.database.query(damage);
    const reply = await service.ask('GET', '/readyz');
    const live = await service.ask('GET', '/livez');
    await service.database.query(repair);
    expect(reply).toMatchObject({ status: 503, json: { code: 'service_unavailable' } });
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(reply.text).not.toContain(named);
    expect(service.log.filter((line) => line.includes(reply.headers.get('x-request-id') ?? '?'))).toEqual([
      expect.stringContaining(named),
    ]);
    expect(live.status).toBe(200);
    expect((await service.ask('GET', '/readyz')).status).toBe(200);
  },
);
