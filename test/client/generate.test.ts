import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readContract } from '../../src/contract/contract.ts';
import { parseText } from '../../src/contract/document.ts';
import { printContract } from '../../src/contract/printClient.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const yaml = readFileSync(join(root, 'openapi.yaml'), 'utf8');

describe('npm run generate -- --check', () => {
  let copy: string;
  const check = () => {
    const { status, stderr } = spawnSync(process.execPath, ['src/contract/generate.ts', '--check'], {
      cwd: copy,
      encoding: 'utf8',
    });
    return { status, lines: stderr.trim().split('\n') };
  };
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'animal-store-generate-'));
    for (const name of ['src', 'generated', 'openapi.yaml', 'package.json'])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('names what the client’s source has left behind, what was edited, and what is not printed', () => {
    appendFileSync(join(copy, 'src/client/links.ts'), '\nexport const added: number = 1;\n');
    appendFileSync(join(copy, 'generated/contract.js'), '// edited\n');
    writeFileSync(join(copy, 'generated/client/old.js'), '');
    const { status, lines } = check();
    expect(status).toBe(1);
    for (const line of [
      'generated/client/links.js is stale: run npm run generate',
      'generated/client/links.d.ts is stale: run npm run generate',
      'generated/contract.js is stale: run npm run generate',
      'generated/client/old.js is not printed from openapi.yaml: remove it',
    ])
      expect(lines).toContain(line);
  });
});

describe('what is printed of the document', () => {
  const print = (edit: (text: string) => string) => printContract(readContract(parseText(edit(yaml))));

  test('a name that the client cannot give is refused', () => {
    expect(() => print((text) => text.replace('operationId: createPet', 'operationId: each'))).toThrow(
      'each: the client has a member of that name; choose another operationId',
    );
    expect(() => print((text) => text.replace('- name: cursor', '- name: body'))).toThrow('listPets: ');
  });

  test('a comment cannot be ended from within', () => {
    const declarations = print((text) => text.replace('summary: Get an animal', 'summary: Get */ an animal')).get(
      'contract.d.ts',
    );
    expect(declarations).toContain('* Get *\\/ an animal');
  });
});

test('the client imports nothing of the server', () => {
  const folder = join(root, 'src/client');
  const imported = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, target = '']) => target),
  );
  const own = readdirSync(folder).map((name) => `./${name}`);
  const known = [...own, '../../generated/contract.js', '../../generated/openapi.d.ts', 'openapi-fetch'];
  expect(imported.filter((target) => !known.includes(target))).toEqual([]);
});
