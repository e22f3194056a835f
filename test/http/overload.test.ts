import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';
import { open, sendRaw } from './raw.ts';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const get = (more = '') => `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
const upload = () =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 29\r\n\r\n{"na`;

test('past 1,500 requests without an answer one more is a 503 at once, and the others are answered', async () => {
  const { key: other } = await service.newKey();
  // Nobody is admitted as long as this transaction holds the projects.
  await service.database.query('begin; select from projects for update');
  const replies = sendRaw(service.url, get().repeat(1_600) + get('Connection: close\r\n'));
  await expect.poll(() => service.store.unanswered()).toBe(1_500);
  const { status, headers, json } = await service.ask('GET', '/v1/pets', { key: other });
  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
  expect(json).toMatchObject({ message: expect.stringContaining('more requests than it can answer') });
  await service.database.query('commit');

  const statuses = (await replies).map((reply) => reply.status);
  expect(statuses).toEqual([...Array(1_500).fill(200), ...Array(101).fill(503)]);
  expect((await service.ask('GET', '/v1/pets', { key: other })).status).toBe(200);
});

test.each([
  { callers: 160, leave: 'before their answer', request: get },
  { callers: 160, leave: 'in the middle of a body', request: upload },
  { callers: 80, leave: 'with 20 more requests behind', request: () => get().repeat(20) + upload() },
])(
  '$callers callers who leave $leave take nothing of the service with them',
  async ({ callers, request }) => {
    const comeAndGo = async () => {
      const socket = await open(service.url);
      socket.on('error', () => {}); // The server may be quicker.
      await new Promise((resolve) => socket.write(request(), resolve));
      socket.destroy();
    };
    for (let i = 0; i < callers; i += 80) await Promise.all(Array.from({ length: 80 }, comeAndGo));
    await expect.poll(() => service.store.unanswered()).toBe(0);
    expect((await service.ask('GET', '/v1/pets', { key })).status).toBe(200);
  },
  20_000,
);
