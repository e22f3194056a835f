import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, root, serve } from './cli/program.ts';

/** What CI and the other tests run by itself; here it is only seen to that there is such a script. */
const runElsewhere = /^npm (?:ci|start|test|run (generate|types|contract|check))$/;

const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text.trim().split('\n'),
);

test('every command of the README runs, and answers', async (context) => {
  if (spawnSync('curl', ['--version']).status !== 0) {
    process.stderr.write('Left out, the commands of the README: there is no curl on this machine.\n');
    context.skip();
  }
  const dataDir = newFolder();
  const service = await serve({ DATA_DIR: dataDir });
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  let ran = 0;
  for (const lines of blocks) {
    if (lines.every((line) => runElsewhere.test(line))) {
      for (const line of lines) {
        const [, name] = /^npm run (\w+)$/.exec(line) ?? [];
        if (name !== undefined) expect(scripts).toHaveProperty(name);
      }
      continue;
    }
    const script = lines.join('\n').replaceAll('http://127.0.0.1:3000', service.url).replaceAll('curl ', 'curl -fsS ');
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      },
    });
    expect({ script, status, stderr: status === 0 ? '' : stderr }).toEqual({ script, status: 0, stderr: '' });
    expect(stdout, script).not.toBe('');
    ran++;
  }
  expect(ran).toBeGreaterThanOrEqual(3);
});
