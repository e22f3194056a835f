import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseData } from '../../src/contract/document.ts';
import { newFolder, root, run } from './program.ts';

const folder = newFolder();
const today = join(root, 'openapi.yaml');
const yaml = readFileSync(today, 'utf8');

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** openapi.yaml with each `from`, which must be there, replaced once. */
function edited(name: string, ...edits: readonly (readonly [from: string, to: string])[]): string {
  return file(
    name,
    edits.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`openapi.yaml does not hold: ${from}`);
      return text.replace(from, to);
    }, yaml),
  );
}

const diff = (...args: string[]) => run(['contract', 'diff', ...args]);

describe.concurrent('a breaking change is exit 1, and named with operation, place, reason, old and new value:', () => {
  const rows: readonly (readonly [what: string, from: string, to: string, rule: string, ...more: string[]])[] = [
    [
      'a lowered quota',
      'perMinute: 300\n      perDay: 10000\n    business',
      'perMinute: 299\n      perDay: 10000\n    business',
      'quota',
      'x-rate-limits',
      '300 → 299',
    ],
    [
      'a removed property',
      "        status:\n          $ref: '#/components/schemas/PetStatus'\n    Pets:",
      '    Pets:',
      'property',
      'GET /pets (listPets)',
      'status',
    ],
    [
      'an earlier sunset',
      "x-sunset: '2030-12-05'",
      "x-sunset: '2029-12-05'",
      'sunset',
      'GET /pets/{petId} (getPet)',
      '2030-12-05',
      '2029-12-05',
    ],
    ['a removed error code', '            - api_key_banned\n', '', 'known-value-removed', 'api_key_banned'],
    [
      'a page bound',
      '            maximum: 100\n',
      '            maximum: 50\n',
      'max',
      'GET /pets (listPets)',
      'query parameter limit',
      '100 → 50',
    ],
    [
      'a changed default',
      '            default: 20\n',
      '            default: 10\n',
      'default',
      'GET /pets (listPets)',
      'query parameter limit',
      '20 → 10',
    ],
  ];
  test.each(rows.map((row, index) => [row[0], index, row] as const))(
    '%s',
    async (_, index, [, from, to, rule, ...words]) => {
      const { code, stdout, stderr } = await diff(today, edited(`${index}.yaml`, [from, to]));
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^(?:A change breaks|\d+ changes break) consumers\.\n$/),
      });
      expect(stdout).toMatch(new RegExp(`^breaking  (?:.+\\n)+ .*\\[[a-z-]*${rule}[a-z-]*\\]$`, 'm'));
      for (const word of words) expect(stdout).toContain(word);
    },
  );
});

describe.concurrent('formats', () => {
  const narrowed = edited('narrowed.yaml', ['            maximum: 100\n', '            maximum: 50\n']);

  test('JSON', async () => {
    const { code, stdout } = await diff('--json', today, narrowed);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { breaking: 1 },
      changes: [
        {
          severity: 'breaking',
          operation: 'GET /pets (listPets)',
          place: expect.stringContaining('query parameter limit'),
          before: 100,
          after: 50,
        },
      ],
    });
  });

  test('annotations stand beside the new file', async () => {
    const { code, stdout } = await diff('--github', today, narrowed);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::error file=[^,\n]*narrowed\.yaml,title=GET \/pets \(listPets\)[^\n]*::query parameter limit: 100 → 50\. [^\n]+\n$/,
    );
  });

  test('Markdown', async () => {
    const { code, stdout } = await diff('--markdown', today, narrowed);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^## 1\.0\.0\n\n### Breaking\n\n\*\*`GET \/pets \(listPets\)`\*\*\n\n- `query parameter limit`: `100` → `50`/,
    );
  });

  test('one at a time', async () => {
    expect(await diff('--json', '--markdown', today, narrowed)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe.concurrent('documents', () => {
  test('an additive change is exit 0', async () => {
    const { code, stdout, stderr } = await diff(
      today,
      edited('added.yaml', ['          maxLength: 64\n', '          maxLength: 128\n']),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^harmless {2}GET \/pets/);
  });

  test('JSON is read as YAML is', async () => {
    const json = file('same.json', JSON.stringify(parseData(yaml, 'openapi.yaml')));
    expect(await diff(today, json)).toMatchObject({
      code: 0,
      stdout: 'No change that consumers can notice.\n',
      stderr: '',
    });
  });

  test('3.0 and 3.1 are compared by what they mean', async () => {
    const of = (openapi: string, schema: object) =>
      file(
        `${openapi}.json`,
        JSON.stringify({
          openapi,
          info: { title: 'Pets', version: '1' },
          paths: {
            '/pets': {
              get: { responses: { 200: { description: 'pets', content: { 'application/json': { schema } } } } },
            },
          },
        }),
      );
    const older = of('3.0.3', { type: 'string', nullable: true });
    const newer = of('3.1.0', { type: ['string', 'null'] });
    expect(await diff(older, newer)).toMatchObject({ code: 0, stdout: 'No change that consumers can notice.\n' });
  });

  test.each([
    ['a file that is not there', () => 'none.yaml', 'none.yaml'],
    ['broken YAML', () => file('broken.yaml', 'openapi: ['), 'broken.yaml'],
    ['another file', () => join(root, 'package.json'), 'OpenAPI'],
    ['OpenAPI 2', () => file('two.json', '{"swagger": "2.0"}'), 'OpenAPI'],
  ])('%s is wrong usage', async (_, name, word) => {
    const { code, stdout, stderr } = await diff(today, name());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
