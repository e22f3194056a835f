import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyProject, type Project } from '../project.ts';
import { root, run } from './program.ts';

const cli = 'src/cli/animal-store.ts';
const check = (project: Project, ...args: string[]) => project.run(cli, ['contract', 'check', ...args]);
const publish = (project: Project) => project.run(cli, ['contract', 'publish']);

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

test('before the first publication it is open and says so; then there is one', async () => {
  const project = copyProject();
  rmSync(join(project.folder, 'published'), { recursive: true });
  expect(await check(project)).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'Nothing is published yet, so nothing can break. The first publication: npm run publish-contract\n',
  });
  expect(await publish(project)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^## \S+ \(\d{4}-\d\d-\d\d\)\n\nThe first publication\.\n$/),
  });
  expect(project.read('published/openapi.yaml')).toBe(project.read('openapi.yaml'));
  expect(await publish(project)).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('is published already.\n'),
  });
});

describe.concurrent('what shuts the gate is named:', () => {
  test('a breaking change, with how to make it on purpose', async () => {
    const project = copyProject();
    project.edit('openapi.yaml', '            maximum: 100\n', '            maximum: 50\n');
    await project.run('src/contract/generate.ts');
    const text = await check(project);
    expect(text).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^breaking {2}GET \/pets \(listPets\)\n {2}query parameter limit: 100 → 50\n {2}[^\n]+\[maximum-lowered\]\n/,
      ),
    });
    expect(text.stderr).toMatch(
      /accepted\.yaml:\n- rule: "maximum-lowered"\n[\s\S]*\nThe contract gate is shut: 1 breaking change, 0 problems\.\n$/,
    );
    const onGitHub = await project.run(cli, ['contract', 'check'], { GITHUB_ACTIONS: 'true' });
    expect(onGitHub).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^::error file=openapi\.yaml,title=GET \/pets \(listPets\)%3A maximum-lowered::query parameter limit: 100 → 50\. /,
      ),
    });
    expect(await publish(project)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('[maximum-lowered]'),
    });
    expect(project.read('published/openapi.yaml')).not.toBe(project.read('openapi.yaml'));
  });

  test('generated/ that is stale', async () => {
    const project = copyProject();
    project.edit('openapi.yaml', 'summary: List all animals', 'summary: List animals');
    const { code, stdout } = await check(project, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).problems).toContainEqual({
      level: 'error',
      file: 'generated/server.d.ts',
      message: 'generated/server.d.ts is stale: run npm run generate',
    });
  });

  test('what Redocly finds, and what the server cannot keep', async () => {
    const project = copyProject();
    project.edit('openapi.yaml', '  version: 1.0.0\n', '  versio: 1.0.0\n');
    project.edit('openapi.yaml', '            format: int32\n', '            format: int128\n');
    const { code, stdout } = await check(project, '--github');
    expect(code).toBe(1);
    expect(stdout).toContain('::error file=openapi.yaml,line=4::Property `versio` is not expected here. [struct]\n');
    expect(stdout).toMatch(
      /^::error file=openapi\.yaml::listPets: parameter limit: format int128 is not checked by the server/m,
    );
  });

  test('a document that is no YAML', async () => {
    const project = copyProject();
    project.write('openapi.yaml', 'openapi: [');
    const { code, stdout, stderr } = await check(project);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: openapi\.yaml[\s\S]*line 1[\s\S]*The contract gate is shut: /);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('an acceptance that is none', async () => {
    const project = copyProject();
    project.write('published/accepted.yaml', '- rule: maximum-lowered\n');
    expect(await check(project)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: published\/[^\n]*must name rule, operation/),
    });
  });
});
