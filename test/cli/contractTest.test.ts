import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExchange } from '../../src/cli/exchange.ts';
import { breakingProxy, faults } from '../contract/faults.ts';
import { wellFormed } from '../contract/xml.ts';
import { type Service, startService } from '../service.ts';
import { newFolder, run } from './program.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const contractTest = (...args: string[]) => run(['contract', 'test', ...args]);

test('a server that keeps the document: exit 0, a report to read, and JUnit', async () => {
  const junit = join(newFolder(), 'report.xml');
  const { code, stdout, stderr } = await contractTest('--url', service.url, '--key', key, '--junit', junit);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Animal Store \d+\.\d+\.\d+ \(document [0-9a-f]{16}\) at http:\/\/127\.0\.0\.1:\d+\n/);
  for (const id of service.contract.operations.keys())
    expect(stdout).toMatch(new RegExp(`^${id} +\\d+ passed  \\([A-Z]+ /pets`, 'm'));
  expect(stdout).toMatch(/Documented, but never seen:\n {2}listPets +408, 429, 500, 503 application\/json\n/);
  expect(stdout).toMatch(/\n\d+ checks: \d+ passed, 0 failed, 0 not sent\.\n$/);
  const xml = readFileSync(junit, 'utf8');
  expect(wellFormed(xml)).toEqual({
    testsuites: 1,
    testsuite: service.contract.operations.size + 1,
    testcase: expect.any(Number),
  });
  expect(stdout + xml).not.toContain(key);
});

test('a server that breaks it: exit 1, the fault named with request, reply and document; the key is not shown', async () => {
  const exchange = openExchange(new URL(service.url), () => null);
  const proxy = await breakingProxy(exchange.send, faults['an int64 is off by one']?.fault ?? expect.unreachable());
  try {
    const junit = join(newFolder(), 'report.xml');
    const [text, json] = await Promise.all([
      contractTest('--url', `${proxy.url}/v1/`, '--key', key, '--junit', junit),
      contractTest('--url', proxy.url, '--key', key, '--json', '--requests', '150', '--seed', '2'),
    ]);
    expect(text.code).toBe(1);
    expect(text.stderr).toMatch(/^The server breaks the document\. \d+ checks: \d+ passed, 2 failed, 0 not sent\.\n$/);
    expect(text.stdout).toContain(
      `
  FAILED  body/categoryId being 9223372036854775807
    found     categoryId came back as 9223372036854775806
    document  it was sent, or has the default, 9223372036854775807
    request   curl -gi --path-as-is -X POST '${proxy.url}/v1/pets' -H "Authorization: Bearer $KEY" -H 'content-type: application/json' --data-binary '{"name":"x","categoryId":9223372036854775807`,
    );
    expect(text.stdout).toMatch(/reply {5}201\n/);
    const xml = readFileSync(junit, 'utf8');
    expect(wellFormed(xml)).toMatchObject({ failure: expect.any(Number) });
    expect(text.stdout + xml + json.stdout).not.toContain(key);
    const report = JSON.parse(json.stdout);
    expect(report.passed + report.failed).toBe(150);
    expect(report.operations.map(({ name }: { name: string }) => name)).toEqual([
      ...service.contract.operations.keys(),
      'paths and methods',
    ]);
  } finally {
    exchange.close();
    await proxy.close();
  }
});

test('a key with too small a plan: what was not sent is told, exit 1, and no ban is earned', async () => {
  const small = await service.newKey({ plan: 'enterprise', custom: { perMinute: 1000, perDay: 20 } });
  const { code, stdout, stderr } = await contractTest('--url', service.url, '--key', small.key);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Not everything could be tested\. \d+ checks: \d+ passed, 0 failed, \d+ not sent\.\n$/);
  expect(stdout).toMatch(/\nNot sent: the quota of the key is used up: 429, Retry-After: \d+ seconds\./);
  expect(stdout).not.toContain('FAILED');
  expect((await service.operator.keys.list()).find(({ id }) => id === small.stored.id)?.bannedUntil).toBeNull();
});

test('what cannot be tested at all: exit 1, and why', async () => {
  const wrong = join(newFolder(), 'wrong.yaml');
  writeFileSync(wrong, 'openapi: 3.1.1\n');
  const [nothing, refused, noDocument] = await Promise.all([
    contractTest('--url', 'http://127.0.0.1:1', '--key', key),
    contractTest('--url', service.url, '--key', 'nobody'),
    contractTest('--url', service.url, '--key', key, '--document', wrong),
  ]);
  expect(nothing).toMatchObject({ code: 1, stdout: '' });
  expect(nothing.stderr).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:1\. Start the server.*ECONNREFUSED/);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/refuses the key: 401/);
  expect(noDocument).toMatchObject({ code: 1, stdout: '' });
  expect(noDocument.stderr).toContain(
    `--document ${wrong} cannot be tested against: openapi.yaml cannot be served as it stands`,
  );
});

test('wrong usage: exit 2; --help says that animals are created', async () => {
  const wrong = await Promise.all([
    contractTest('--key', key),
    contractTest('--url', service.url),
    contractTest('--url', 'localhost', '--key', key),
    contractTest('--url', service.url, '--key', key, '--requests', '0'),
  ]);
  for (const { code, stdout, stderr } of wrong) {
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: /);
  }
  const help = await contractTest('--help');
  expect(help.code).toBe(0);
  expect(help.stdout).toContain('CREATES animals');
});
