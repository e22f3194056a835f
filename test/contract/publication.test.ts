import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptances, isShut, publish, review, section } from '../../src/contract/publication.ts';
import { document } from './edited.ts';

const folder = mkdtempSync(join(tmpdir(), 'animal-store-publication-'));
const root = pathToFileURL(`${folder}/`);
afterAll(() => rmSync(folder, { recursive: true }));

const today = '2026-11-21';
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const look = () => review(root, today);

/** Puts openapi.yaml there with each `from`, which must be there, replaced. */
function change(...edits: readonly (readonly [from: string, to: string])[]): void {
  const text = edits.reduce((yaml, [from, to]) => {
    if (!yaml.includes(from)) throw new Error(`openapi.yaml does not hold: ${from}`);
    return yaml.replace(from, to);
  }, document.yaml);
  write('openapi.yaml', text);
}

const narrow = ['            maximum: 100\n', '            maximum: 50\n'] as const;
const version = (to: string) => ['  version: 1.0.0\n', `  version: ${to}\n`] as const;
const entry = `- rule: maximum-lowered
  operation: GET /pets (listPets)
  place: query parameter limit
  reason: Pages of 100 took too long.
`;

beforeEach(() => {
  rmSync(join(folder, 'published'), { recursive: true, force: true });
  change();
  publish(root, look(), today);
});

describe('a publication', () => {
  test('is the document, its changelog, and an empty list of acceptances', () => {
    expect(read('published/openapi.yaml')).toBe(document.yaml);
    expect(read('published/CHANGELOG.md')).toMatch(
      /^# What changed for consumers[\s\S]*\n\n## 1\.0\.0 \(2026-11-21\)\n\nThe first publication\.\n$/,
    );
    expect(read('published/accepted.yaml')).toMatch(/^(?:#.*\n)+$/);
    expect(look()).toMatchObject({ version: '1.0.0', published: document.yaml, changes: [], problems: [] });
  });

  test('goes on top of the changelog', () => {
    const first = read('published/CHANGELOG.md');
    change(['            maximum: 100\n', '            maximum: 200\n']);
    const second = look();
    publish(root, second, '2026-12-01');
    const [head, ...sections] = first.split(/^(?=## )/m);
    expect(read('published/CHANGELOG.md')).toBe([head, `${section(second, '2026-12-01')}\n`, ...sections].join(''));
    expect(section(second, '2026-12-01')).toContain('`100` → `200`');
  });

  test('of a description alone adds no section, unless there is a new version', () => {
    const before = read('published/CHANGELOG.md');
    change(['summary: List all animals', 'summary: List animals']);
    publish(root, look(), today);
    expect(read('published/CHANGELOG.md')).toBe(before);
    expect(read('published/openapi.yaml')).toBe(read('openapi.yaml'));
    change(version('1.0.1'));
    publish(root, look(), today);
    expect(read('published/CHANGELOG.md')).toContain(
      '## 1.0.1 (2026-11-21)\n\nNothing changed for consumers.\n\n## 1.0.0',
    );
  });
});

test('an additive change needs no new version', () => {
  change(['            maximum: 100\n', '            maximum: 200\n']);
  expect(look()).toMatchObject({ changes: [{ rule: 'maximum-raised', severity: 'harmless' }], problems: [] });
  expect(isShut(look())).toBe(false);
});

describe('a breaking change', () => {
  test('shuts the gate', () => {
    change(narrow);
    expect(isShut(look())).toBe(true);
    expect(acceptances(look().changes)).toBe(
      '- rule: "maximum-lowered"\n  operation: "GET /pets (listPets)"\n  place: "query parameter limit"\n  before: 100\n  after: 50\n  reason: ""\n',
    );
  });

  test('on purpose needs a reason, also where the printed entry was copied', () => {
    change(narrow, version('2.0.0'));
    write('published/accepted.yaml', acceptances(look().changes));
    expect(look).toThrow('Accepted change 1 (maximum-lowered) must say why: `reason`.');
  });

  test.each([
    ['1.0.0', true],
    ['1.1.0', true],
    ['0.9.0', true],
    ['2.0.0', false],
    ['10.0.0', false],
    ['2026-11-21', false],
  ])('on purpose as version %s: shut is %s', (to, shut) => {
    change(narrow, version(to));
    write('published/accepted.yaml', entry);
    expect(look().problems).toEqual(
      shut
        ? ['openapi.yaml: a breaking change needs a new major version: raise the first number of info.version, 1.0.0']
        : [],
    );
    expect(isShut(look())).toBe(shut);
  });

  test('on purpose stays in the changelog with its reason, and uses the acceptance up', () => {
    change(narrow, version('2.0.0'));
    write('published/accepted.yaml', entry);
    publish(root, look(), today);
    expect(read('published/CHANGELOG.md')).toMatch(
      /\n## 2\.0\.0 \(2026-11-21\)\n\n### Breaking\n[\s\S]*\*On purpose: Pages of 100 took too long\.\*\n[\s\S]*\n## 1\.0\.0/,
    );
    expect(read('published/accepted.yaml')).not.toContain('maximum-lowered');
    expect(look()).toMatchObject({ changes: [], problems: [] });
  });
});

describe('an acceptance', () => {
  test('that fits nothing is named', () => {
    write('published/accepted.yaml', entry);
    expect(look().problems).toEqual([
      'published/accepted.yaml: nothing that changed is maximum-lowered of GET /pets (listPets), query parameter limit: correct or remove the entry',
    ]);
    expect(isShut(look())).toBe(true);
  });

  test('of another value lets nothing through', () => {
    change(narrow, version('2.0.0'));
    write('published/accepted.yaml', `${entry}  after: 60\n`);
    expect(look().problems).toHaveLength(1);
    expect(look().changes).toMatchObject([{ severity: 'breaking' }]);
    expect(look().changes[0]).not.toHaveProperty('accepted');
  });

  test.each([
    ['rule: maximum-lowered\n', 'Accepted changes are a list'],
    ['- rule: maximum-lowered\n', 'must name rule, operation (or null) and place'],
    ['- [', 'published/accepted.yaml: '],
  ])('that is none is refused: %j', (text, message) => {
    write('published/accepted.yaml', text);
    expect(look).toThrow(message);
  });
});

test('before the first publication nothing can break, and a mistaken acceptance is still named', () => {
  rmSync(join(folder, 'published'), { recursive: true });
  expect(look()).toMatchObject({ published: null, changes: [], problems: [] });
  mkdirSync(join(folder, 'published'));
  write('published/accepted.yaml', entry);
  expect(look().problems).toHaveLength(1);
});

test('a published file that is no document is named', () => {
  write('published/openapi.yaml', 'openapi: [');
  expect(look).toThrow('published/openapi.yaml: ');
  write('published/openapi.yaml', 'swagger: "2.0"');
  expect(look).toThrow('Not an OpenAPI 3 document');
});
