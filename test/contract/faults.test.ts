import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { type Exchange, openExchange } from '../../src/cli/exchange.ts';
import type { Case, Credential, Request } from '../../src/contract/test/case.ts';
import { casesOf } from '../../src/contract/test/cases.ts';
import { buildJudge, type Judge, type Reply } from '../../src/contract/test/judge.ts';
import { buildReport, textReport } from '../../src/contract/test/report.ts';
import { runCases } from '../../src/contract/test/run.ts';
import { type Service, startService } from '../service.ts';
import { faults } from './faults.ts';

let service: Service;
let exchange: Exchange;
let cases: Case[];
let judge: Judge;

beforeAll(async () => {
  // So many runs spend more than an address has in a minute.
  service = await startService({
    edit: (yaml) =>
      yaml.replace(
        /(anonymous:\n +perMinute: )\d+(\n +perDay: )\d+/,
        (_, minute: string, day: string) => `${minute}1000000${day}1000000`,
      ),
  });
  const { key } = await service.newKey();
  const shown: Record<Credential, string | null> = {
    valid: `Bearer ${key}`,
    unknown: `Bearer ${mint().key}`,
    malformed: 'Bearer no',
    basic: 'Basic bm86bm8=',
    none: null,
  };
  exchange = openExchange(new URL(service.url), (credential) => shown[credential]);
  cases = casesOf(service.contract, Date.now());
  judge = buildJudge(service.contract);
});
afterAll(async () => {
  exchange.close();
  await service.close();
});

async function report(send: (request: Request) => Promise<Reply>) {
  const run = await runCases({ judge, cases, send, wait: async () => {} });
  return buildReport(service.contract, service.url, run);
}

test('the unbroken server passes', async () => {
  const unbroken = await report(exchange.send);
  expect(textReport(unbroken)).not.toContain('FAILED');
  expect(unbroken).toMatchObject({ failed: 0, notSent: 0 });
  expect(unbroken.passed).toBeGreaterThan(200);
});

test.concurrent.each(Object.entries(faults))('%s: found, and named', async (_, { fault, said }) => {
  const broken = await report((request) => fault(request, exchange.send));
  expect(broken.failed).toBeGreaterThan(0);
  expect(textReport(broken)).toMatch(said);
});
