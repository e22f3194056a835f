import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyProject, type Project } from '../project.ts';
import { root, run } from './program.ts';

const cli = 'src/cli/animal-store.ts';
const check = (project: Project, ...args: string[]) => project.run(cli, ['contract', 'check', ...args]);
const publish = (project: Project) => project.run(cli, ['contract', 'publish']);
const generate = (project: Project) => project.run('src/contract/generate.ts');

const narrow = ['openapi.yaml', '            maximum: 100\n', '            maximum: 50\n'] as const;
const entry = `- rule: maximum-lowered
  operation: GET /pets (listPets)
  place: query parameter limit
  before: 100
  after: 50
  reason: Pages of 100 took too long.
`;

describe('the gate', () => {
  test('is open on the tree as it is', async () => {
    const { code, stdout, stderr } = await run(['contract', 'check', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ published: true, problems: [], summary: { breaking: 0, accepted: 0 } });
  });

  test('is what the scripts run', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts).toMatchObject({
      contract: `node ${cli} contract check`,
      'publish-contract': `node ${cli} contract publish`,
    });
  });
});

describe('before the first publication', () => {
  const project = copyProject();

  test('the gate is open, and says that nothing is published', async () => {
    rmSync(join(project.folder, 'published'), { recursive: true, force: true });
    const { code, stdout, stderr } = await check(project);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe('Nothing is published yet, so nothing can break. The first publication: npm run publish-contract\n');
  });

  test('then publication writes the document, its changelog and an empty list of acceptances', async () => {
    expect(await publish(project)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^## 1\.0\.0 \(\d{4}-\d\d-\d\d\)\n\nThe first publication\.\n$/) });
    expect(project.read('published/openapi.yaml')).toBe(project.read('openapi.yaml'));
    expect(project.read('published/CHANGELOG.md')).toMatch(/^# What changed [^]*\n## 1\.0\.0 \([^]*The first publication\.\n$/);
    expect(project.read('published/accepted.yaml')).toMatch(/^(?:#.*\n)+$/);
    expect(await publish(project)).toMatchObject({ code: 0, stdout: '', stderr: 'openapi.yaml 1.0.0 is published already.\n' });
  });
});

describe.concurrent('what shuts the gate is named:', () => {
  test('a breaking change, with how to make it on purpose', async () => {
    const project = copyProject();
    project.edit(...narrow);
    await generate(project);
    const text = await check(project);
    expect(text).toMatchObject({ code: 1, stdout: expect.stringMatching(/^breaking {2}GET \/pets \(listPets\)\n {2}query parameter limit: 100 → 50\n {2}[^\n]+\[maximum-lowered\]\n/) });
    expect(text.stderr).toContain('- rule: "maximum-lowered"\n  operation: "GET /pets (listPets)"\n  place: "query parameter limit"\n  before: 100\n  after: 50\n  reason: ""\n');
    expect(text.stderr).toMatch(/The contract gate is shut: 1 breaking change, 0 problems\.\n$/);
    const onGitHub = await project.run(cli, ['contract', 'check'], { GITHUB_ACTIONS: 'true' });
    expect(onGitHub).toMatchObject({ code: 1, stdout: expect.stringMatching(/^::error file=openapi\.yaml,title=GET \/pets \(listPets\)%3A maximum-lowered::query parameter limit: 100 → 50\. /) });
    expect(await publish(project)).toMatchObject({ code: 1, stdout: '' });
    expect(project.read('published/openapi.yaml')).not.toBe(project.read('openapi.yaml'));
  });

  test('stale generated/, what Redocly finds, and what the server cannot keep, all at once', async () => {
    const project = copyProject();
    project.edit('openapi.yaml', 'summary: List all animals', 'summary: List animals');
    const stale = await check(project, '--json');
    expect(stale.code).toBe(1);
    expect(JSON.parse(stale.stdout).problems).toContainEqual({
      level: 'error',
      file: 'generated/server.d.ts',
      message: 'generated/server.d.ts is stale: run npm run generate',
    });
    project.edit('openapi.yaml', '  version: 1.0.0\n', '  versio: 1.0.0\n');
    project.edit('openapi.yaml', '            format: int32\n', '            format: int128\n');
    const { code, stderr } = await check(project);
    expect(code).toBe(1);
    expect(stderr).toContain('error: openapi.yaml:4: Property `versio` is not expected here. [struct]\n');
    expect(stderr).toContain('error: openapi.yaml: listPets: parameter limit: format int128 is not checked by the server');
    const github = await check(project, '--github');
    expect(github.stdout).toContain('::error file=openapi.yaml,line=4::Property `versio` is not expected here. [struct]\n');
  });

  test('a document that is no YAML, an acceptance that is none', async () => {
    const project = copyProject();
    project.write('published/accepted.yaml', '- rule: maximum-lowered\n');
    expect(await check(project)).toMatchObject({ code: 1, stderr: expect.stringMatching(/error: published\/[^\n]*must name rule, operation/) });
    project.write('openapi.yaml', 'openapi: [');
    const { code, stdout, stderr } = await check(project);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: openapi\.yaml: [^]*line 1/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('a breaking change on purpose', () => {
  const project = copyProject();
  beforeAll(async () => {
    project.edit(...narrow);
    await generate(project);
  });

  test('needs a reason', async () => {
    project.write('published/accepted.yaml', entry.replace(/reason: .*/, 'reason: ""'));
    expect(await check(project)).toMatchObject({ code: 1, stderr: expect.stringContaining('must say why') });
  });

  test('needs a new major version', async () => {
    project.write('published/accepted.yaml', entry);
    const { code, stderr } = await check(project);
    expect(code).toBe(1);
    expect(stderr).toContain('a breaking change needs a new major version: raise the first number of info.version, 1.0.0');
  });

  test('then passes, and stays in the changelog with its reason', async () => {
    project.edit('openapi.yaml', '  version: 1.0.0\n', '  version: 2.0.0\n');
    await generate(project);
    const passed = await check(project, '--markdown');
    expect(passed).toMatchObject({ code: 0, stderr: '' });
    expect(passed.stdout).toMatch(/^## 2\.0\.0 \(\d{4}-\d\d-\d\d\)\n\n### Breaking\n[^]*\*On purpose: Pages of 100 took too long\.\*\n/);
    const before = project.read('published/CHANGELOG.md');
    expect(await publish(project)).toMatchObject({ code: 0, stdout: passed.stdout });
    const [head = '', ...sections] = before.split(/^(?=## )/m);
    expect(project.read('published/CHANGELOG.md')).toBe([head, `${passed.stdout}\n`, ...sections].join(''));
    expect(project.read('published/openapi.yaml')).toBe(project.read('openapi.yaml'));
    expect(await check(project)).toMatchObject({ code: 0, stdout: 'No change that consumers can notice.\n', stderr: '' });
  });

  test('is used up: an acceptance that fits nothing is named', async () => {
    expect(project.read('published/accepted.yaml')).not.toContain('maximum-lowered');
    project.write('published/accepted.yaml', entry);
    expect(await check(project)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('published/accepted.yaml: nothing that changed is maximum-lowered of GET /pets (listPets), query parameter limit: correct or remove the entry'),
    });
  });
});

test('an additive change needs no new version', async () => {
  const project = copyProject();
  project.edit('openapi.yaml', '          maxLength: 64\n', '          maxLength: 65\n');
  project.edit('openapi.yaml', '            maximum: 100\n', '            maximum: 200\n');
  await generate(project);
  expect(await check(project)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^harmless [^]*\[maximum-raised\]/) });
});

test('the first publication is there', () => {
  for (const file of ['openapi.yaml', 'CHANGELOG.md', 'accepted.yaml']) expect(existsSync(join(root, 'published', file))).toBe(true);
});
