import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../../src/apiKey.ts';
import { type Exchange, openExchange } from '../../src/cli/exchange.ts';
import { createClient } from '../../src/client/client.ts';
import { type Contract, readContract } from '../../src/contract/contract.ts';
import { type Json, parseText } from '../../src/contract/document.ts';
import type { Case, Request } from '../../src/contract/test/case.ts';
import { casesOf, mixedCases } from '../../src/contract/test/cases.ts';
import { agreedCandidates } from '../../src/contract/test/inputs.ts';
import { buildJudge, type Reply } from '../../src/contract/test/judge.ts';
import { escapeXml, junitReport } from '../../src/contract/test/junit.ts';
import { buildReport, curl, textReport } from '../../src/contract/test/report.ts';
import { chooseCases, runCases, seededRandom } from '../../src/contract/test/run.ts';
import { candidates, sample } from '../../src/contract/test/values.ts';
import { type Service, startService } from '../service.ts';
import { wellFormed } from './xml.ts';

let service: Service;
let exchange: Exchange;
beforeAll(async () => {
  service = await startService();
  const { key } = await service.newKey();
  const shown = {
    valid: `Bearer ${key}`,
    unknown: `Bearer ${mint().key}`,
    malformed: 'Bearer no',
    basic: 'Basic bm86bm8=',
    none: null,
  };
  exchange = openExchange(new URL(service.url), (credential) => shown[credential]);
});
afterAll(async () => {
  exchange.close();
  await service.close();
});

const unexpectedWait = () => Promise.reject(new Error('nothing is to be waited for'));

async function report(cases: Iterable<Case>, requests = Number.POSITIVE_INFINITY) {
  const { contract, url } = service;
  return buildReport(
    contract,
    url,
    await runCases({ judge: buildJudge(contract), cases, send: exchange.send, requests, wait: unexpectedWait }),
  );
}

test('every case of the document passes, and only what needs an accident is never seen', async () => {
  const all = await report(casesOf(service.contract, Date.now()));
  expect(textReport(all)).not.toContain('FAILED');
  expect(all).toMatchObject({ failed: 0, notSent: 0 });
  expect(all.neverSeen.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
    ...[408, 429, 500, 503].map((status) => `listPets ${status}`),
    ...[408, 429, 500, 503].map((status) => `createPet ${status}`),
    ...[408, 410, 429, 500, 503].map((status) => `getPet ${status}`),
  ]);
});

test('random mixtures pass too, the same ones for the same seed', async () => {
  const mixed = await report(mixedCases(service.contract, Date.now(), seededRandom(7)), 300);
  expect(textReport(mixed)).not.toContain('FAILED');
  expect(mixed.passed).toBe(300);
  const first = (seed: number) => {
    const cases = mixedCases(service.contract, 0, seededRandom(seed));
    return Array.from({ length: 50 }, () => cases.next().value?.request);
  };
  expect(first(7)).toEqual(first(7));
  expect(first(7)).not.toEqual(first(8));
});

test('the typed client reads all that the cases created, to the digit', async () => {
  const { key } = await service.newKey();
  const client = createClient({ baseUrl: service.url, key });
  const categories = new Set<bigint>();
  for await (const { categoryId } of client.each.listPets({ limit: 100 })) categories.add(categoryId);
  for (const edge of [-(2n ** 63n), -(2n ** 53n) - 1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n])
    expect(categories).toContain(edge);
});

test('a choice keeps the order', () => {
  const cases = casesOf(service.contract, Date.now());
  const chosen = chooseCases(cases, 20, seededRandom(1));
  expect(chosen).toHaveLength(20);
  expect(chosen.map((one) => cases.indexOf(one))).toEqual(
    chosen.map((one) => cases.indexOf(one)).sort((a, b) => a - b),
  );
});

test('after its end a deprecated operation answers 410 to every valid key, and 401 to all others', async () => {
  service.setClock('2030-12-06T00:00:00Z');
  try {
    const cases = casesOf(service.contract, Date.parse('2030-12-06T00:00:00Z'));
    const late = await report(cases);
    expect(textReport(late)).not.toContain('FAILED');
    expect(late.neverSeen.map(({ operation, status }) => `${operation} ${status}`)).toContain('getPet 200');
    expect(late.neverSeen.map(({ operation, status }) => `${operation} ${status}`)).not.toContain('getPet 410');
  } finally {
    service.setClock(new Date().toISOString());
  }
});

describe('the values', () => {
  test('of this document are judged by the schemas as they are meant', () => {
    for (const { body, parameters } of service.contract.operations.values())
      for (const pointer of [...(body === null ? [] : [body]), ...parameters.map(({ schema }) => schema)])
        expect(agreedCandidates(service.contract, pointer).disputed).toEqual([]);
  });

  const root = { components: { schemas: { Word: { type: 'string', minLength: 2, maxLength: 3 } } } };
  const edges = (schema: Json) =>
    candidates(root, schema).map(
      ({ place, what, valid }) => `${valid ? '+' : '-'} ${place}${place === '' ? '' : ' '}${what}`,
    );

  test.each<[Json, string[]]>([
    [
      { type: 'integer', minimum: 1, exclusiveMaximum: 4 },
      ['+ being 1', '- being 0', '+ being 3', '- being 4', '- being "5"', '- being 5.5', '- being null'],
    ],
    [
      { type: 'integer', format: 'int32' },
      ['+ being -2147483648', '- being -2147483649', '+ being 2147483647', '- being 2147483648'],
    ],
    [
      { type: 'integer', format: 'int64' },
      ['+ being 9223372036854775807', '- being 9223372036854775808', '+ being 9007199254740993', '+ written 5.0'],
    ],
    [
      { $ref: '#/components/schemas/Word' },
      ['+ of 2 characters', '- of 1 character', '+ of 3 characters', '- of 4 characters', '- with U+0000', '- being 5'],
    ],
    [{ type: ['string', 'null'], enum: ['a', null] }, ['+ being "a"', '+ being null', '- being "A"', '- being 5']],
    [{ const: 'x' }, ['+ being "x"', '- being "no_x"']],
    [{ type: 'boolean' }, ['+ being true', '+ being false', '- being "true"']],
    [
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'boolean' } },
      ['+ of 1 item', '- of 0 items', '+ of 2 items', '- of 3 items', '- /0 being 5'],
    ],
    [
      {
        type: 'object',
        required: ['a'],
        additionalProperties: false,
        properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
      },
      [
        '- /a left out',
        '+ with the required properties only',
        '+ with every property',
        '- /somethingUnknown that nobody knows',
        '- /b being 5',
        '- being []',
      ],
    ],
    [
      {
        oneOf: [
          { type: 'integer', minimum: 3 },
          { type: 'string', maxLength: 1 },
        ],
      },
      ['+ being 3', '- being 2', '+ of 1 character', '- of 2 characters'],
    ],
    [
      { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'boolean' } } }] },
      ['- /a left out', '+ /a being true', '- /a being 5'],
    ],
    [{ type: 'string', format: 'uuid' }, ['- that is no uuid']],
  ])('of %j', (schema, expected) => {
    expect(edges(schema)).toEqual(expect.arrayContaining(expected));
  });

  test('of a schema that contains itself come to an end', () => {
    const tree = {
      components: {
        schemas: { Tree: { type: 'object', properties: { left: { $ref: '#/components/schemas/Tree' } } } },
      },
    };
    expect(candidates(tree, { $ref: '#/components/schemas/Tree' }).length).toBeLessThan(200);
    expect(sample(tree, { $ref: '#/components/schemas/Tree' })).toHaveProperty('left.left');
  });
});

test('what removes or changes is asked for nobody’s animals: an id at the edge, or the one just created', () => {
  const contract = withRemoval();
  const cases = casesOf(contract, Date.now());
  const removals = cases.filter(({ group, statuses }) => group === 'deletePet' && statuses.includes(204));
  expect(removals.length).toBeGreaterThan(0);
  for (const { request } of removals) expect(request.target).toMatch(/^\/v1\/pets\/-?\d{16,}(\?|$)/);
  const [example] = cases.filter(({ name }) => name === 'the example minimal');
  const created: Reply = { status: 201, headers: new Headers({ location: '/v1/pets/7' }), text: '{}' };
  expect(example?.next?.(created, {}).map(({ request }) => `${request.method} ${request.target}`)).toEqual([
    'GET /v1/pets/7',
    'DELETE /v1/pets/7',
  ]);
});

describe('429', () => {
  const limited = (seconds: number): Reply => ({
    status: 429,
    headers: new Headers({
      'content-type': 'application/json',
      'retry-after': `${seconds}`,
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1',
      'x-request-id': 'x',
      'ratelimit-policy': 'x',
      ratelimit: 'x',
    }),
    text: '{"code":"rate_limit_exceeded","message":"Wait.","status":429}',
  });
  const list = () =>
    casesOf(service.contract, Date.now())
      .filter(({ group, request }) => group === 'listPets' && request.credential === 'valid')
      .slice(0, 3);

  test('with a short Retry-After is waited out, and the request sent again', async () => {
    const waits: number[] = [];
    let refusals = 2;
    const send = (request: Request) => (refusals-- > 0 ? Promise.resolve(limited(43)) : exchange.send(request));
    const run = await runCases({
      judge: buildJudge(service.contract),
      cases: list(),
      send,
      wait: async (seconds) => void waits.push(seconds),
    });
    expect(waits).toEqual([43, 43]);
    expect(run.outcomes.flatMap(({ problems }) => problems)).toEqual([]);
    expect(run.seen).toContain('listPets 429 application/json');
  });

  test('with a long one ends what the same payer would pay for, after one request', async () => {
    let sent = 0;
    const send = async () => {
      sent++;
      return limited(3600);
    };
    const run = await runCases({ judge: buildJudge(service.contract), cases: list(), send, wait: unexpectedWait });
    expect(sent).toBe(1);
    expect(run.outcomes.map(({ notSent }) => notSent)).toEqual(
      Array(3).fill('the quota of the key is used up: 429, Retry-After: 3600 seconds'),
    );
  });
});

test('JUnit holds whatever a server answers', async () => {
  const send = async (): Promise<Reply> => ({
    status: 200,
    headers: new Headers({ 'content-type': 'text/html' }),
    text: '<b>&amp; "\0\ud800\u001b]]>\r\n',
  });
  const run = await runCases({
    judge: buildJudge(service.contract),
    cases: casesOf(service.contract, Date.now()),
    send,
    wait: unexpectedWait,
  });
  const xml = junitReport(buildReport(service.contract, 'http://localhost', run));
  expect(wellFormed(xml)).toMatchObject({ testsuite: 4, failure: expect.any(Number) });
  expect(escapeXml('a<b>&"\'\0\t\ud800🐈')).toBe('a&lt;b&gt;&amp;&quot;&apos;U+0000&#9;\ufffd🐈');
});

test('a request as a curl line: no key, quoted for a shell, long bodies cut', () => {
  const request: Request = { method: 'POST', target: '/v1/pets?a=b', headers: {}, body: "it's", credential: 'valid' };
  const url = 'http://localhost:1';
  expect(curl(request, url)).toBe(
    `curl -gi --path-as-is -X POST 'http://localhost:1/v1/pets?a=b' -H "Authorization: Bearer $KEY" -H 'Content-Type:' --data-binary 'it'\\''s'`,
  );
  expect(curl({ ...request, method: 'HEAD', body: null, credential: 'none' }, url)).toBe(
    `curl -gi --path-as-is -I 'http://localhost:1/v1/pets?a=b'`,
  );
  expect(curl({ ...request, body: Buffer.from([0x27, 0xff]) }, url)).toContain(String.raw`--data-binary $'\'\xff'`);
  expect(curl({ ...request, body: 'x'.repeat(1000) }, url)).toMatch(/'x{40}…' # cut here; it was 1000 bytes$/);
});

/** The document with `DELETE /pets/{petId}`. */
function withRemoval(): Contract {
  const copy = JSON.parse(JSON.stringify(service.contract.document.root));
  const item = copy.paths['/pets/{petId}'];
  const { parameters, security, responses } = structuredClone(item.get);
  const { 410: _, 200: found, ...errors } = responses;
  for (const one of [found, ...Object.values<{ headers?: Record<string, unknown> }>(errors)])
    for (const name of ['Deprecation', 'Sunset', 'Link']) delete one.headers?.[name];
  item.delete = {
    operationId: 'deletePet',
    'x-stability-level': 'stable',
    security,
    parameters,
    responses: { 204: { description: 'Gone.', headers: found.headers }, ...errors },
  };
  return readContract(parseText(JSON.stringify(copy)));
}
