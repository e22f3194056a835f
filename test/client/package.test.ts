import { execFile, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService } from '../service.ts';
import { expected, installPackage, program } from './installed.ts';

const run = promisify(execFile);
let installed: ReturnType<typeof installPackage>;

beforeAll(() => {
  installed = installPackage();
});
afterAll(() => installed.remove());

/** Every node on this machine's path from 20 on, by version: the client is for them all. */
const nodes = new Map(
  [process.execPath, ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))]
    .filter((file) => existsSync(file))
    .map((file) => [execFileSync(file, ['--version'], { encoding: 'utf8' }).trim(), file] as const)
    .filter(([version]) => Number.parseInt(version.slice(1), 10) >= 20),
);

describe('the packed package', () => {
  test.each([...nodes])('runs in node %s', async (_, node) => {
    const service = await startService();
    try {
      const { key } = await service.newKey();
      const file = join(installed.folder, 'consumer.mjs');
      writeFileSync(
        file,
        `const [url, key] = process.argv.slice(2);\n${program}\nconsole.log(JSON.stringify(result));\n`,
      );
      const { stdout } = await run(node, [file, service.url, key]);
      expect(JSON.parse(stdout)).toEqual(expected);
    } finally {
      await service.close();
    }
  });

  test('has types, for a browser and without those of node, with what is deprecated marked', () => {
    const file = join(installed.folder, 'consumer.ts');
    writeFileSync(
      file,
      `import { createClient, unwrap, type Schemas } from 'animal-store/client';
const client = createClient({ baseUrl: 'https://api.test', key: 'key' });
const pet: Schemas['Pet'] = unwrap(await client.createPet({ body: { name: 'Rex', categoryId: 5n } }));
const reply = await client.getPet({ petId: pet.id });
export const name: string = reply.status === 200 ? reply.body.name : reply.body.message;
for await (const { id } of client.each.listPets({ limit: 50 })) id satisfies bigint;
// @ts-expect-error int64 is a bigint
await client.createPet({ body: { name: 'Rex', categoryId: 5 } });
`,
    );
    const options: ts.CompilerOptions = {
      strict: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
      module: ts.ModuleKind.NodeNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      noEmit: true,
    };
    writeFileSync(join(installed.folder, 'package.json'), '{ "type": "module" }');
    const service = ts.createLanguageService({
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot: (name) =>
        ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? '') : undefined,
      getCurrentDirectory: () => installed.folder,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      directoryExists: ts.sys.directoryExists,
      realpath: (path) => path,
    });
    const checked = service.getProgram();
    const own =
      checked
        ?.getSourceFiles()
        .filter(({ fileName }) => fileName.includes('/animal-store') && !fileName.includes('/typescript/')) ?? [];
    expect(
      own.map(({ fileName }) => fileName).filter((name) => name.includes('node_modules/animal-store/src/')),
    ).toEqual([]);
    expect(own.length).toBeGreaterThan(5);
    const problems = own.flatMap((source) => ts.getPreEmitDiagnostics(checked as ts.Program, source)); // it made `own`
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([]);
    const struck = service.getSuggestionDiagnostics(file).filter(({ reportsDeprecated }) => reportsDeprecated);
    expect(struck.map(({ messageText }) => messageText)).toEqual([expect.stringContaining('getPet')]);
  });
});
