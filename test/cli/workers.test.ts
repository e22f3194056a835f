import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openOperatorStore } from '../../src/store/operator.ts';
import { cloneDatabase, type Database } from '../database.ts';
import { newKey } from '../service.ts';
import { run, type Serving, start, until } from './program.ts';

let database: Database;
let service: Serving;
let key: string;

beforeAll(async () => {
  database = await cloneDatabase();
  // At the start of a minute, so that no test sees a window turn.
  await database.setClock('2027-03-01T12:00:00Z');
  const operator = openOperatorStore(database.url);
  ({ key } = await newKey(operator, { plan: 'free', custom: null }));
  await operator.close();
  const program = start([process.execPath, 'src/cli/animal-store.ts', 'serve', '--workers', '2'], {
    DATABASE_URL: database.url,
    PORT: '0',
  });
  const [, url = ''] = await program.says(/listens on (http:\S+)\/v1, with 2 workers/);
  service = Object.assign(program, { url, port: Number(new URL(url).port) });
});
afterAll(async () => {
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  await database.drop();
});

const list = () =>
  fetch(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${key}`, connection: 'close' } });
const metrics = async () => (await fetch(`${service.url}/metrics`)).text();

test('the quota is one for all workers, and the metrics are those of all workers', async () => {
  const statuses = (await Promise.all(Array.from({ length: 80 }, list))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  expect(await metrics()).toMatch(/http_requests_total\{operation="listPets",status="200"\} 60\n/);
});

test('a worker that dies is replaced, and requests go on', async () => {
  const [first = 0, ...others] = workers();
  expect(others).toHaveLength(1);
  process.kill(first, 'SIGKILL');
  await service.says(/A worker ended \(SIGKILL\); another takes its place/);
  await until(() => workers().length === 2);
  expect([200, 429]).toContain((await list()).status);
});

test('a signal ends them all in good order, also while the database is being prepared', async () => {
  const other = await cloneDatabase();
  onTestFinished(() => other.drop());
  // Whoever migrates waits for this lock; "pets", as in src/store/migrate.ts.
  await other.query('select pg_advisory_lock($1)', [0x70657473]);
  const program = start([process.execPath, 'src/cli/animal-store.ts', 'serve', '--workers', '2'], {
    DATABASE_URL: other.url,
    PORT: '0',
  });
  await program.says(/listens on http:\S+\/v1, with 2 workers/);
  program.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
});

test.each(['0', '65', 'two', '1.5'])('--workers %s is wrong usage', async (workers) => {
  const { code, stderr } = await run(['serve', '--workers', workers]);
  expect(code).toBe(2);
  expect(stderr).toContain('from 1 to 64, or auto');
});

/** The pids of the workers (Linux, proc_pid_children(5)). */
function workers(): number[] {
  return readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim().split(' ').map(Number);
}
