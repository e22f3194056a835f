import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { compileSchemas } from './compile.ts';
import { type Contract, readContract } from './contract.ts';
import {
  ContractError,
  entries,
  isObject,
  type Json,
  type JsonObject,
  member,
  readDocument,
  resolve,
} from './document.ts';
import { checkExamples } from './examples.ts';
import { printContract, printPackage } from './printClient.ts';
import { printScaffold } from './scaffold.ts';

// npm run generate: prints generated/ from openapi.yaml; with --check it writes nothing and fails where a file is stale;
// with --scaffold it also begins the handler, and its test, of each operation that has none.

const root = new URL('../../', import.meta.url);

/** What generated/ must hold for `contract`, by file name. */
async function print(contract: Contract): Promise<Map<string, string>> {
  const head = `// Printed from openapi.yaml (${contract.document.hash}) by npm run generate. Not for editing.\n\n`;
  const operations = [...contract.operations.values()];
  const implemented = operations.filter((operation) => operation.implemented);
  return new Map([
    ...printPackage(new URL('src/client/', root)),
    ...[...printContract(contract)].map(([name, text]) => [name, head + text] as const),
    ['openapi.d.ts', head + (await types(contract.document.root, false))],
    ['server.d.ts', head + (await types(contract.document.root, true))],
    [
      'handlers.ts',
      `${head}import type { Handlers } from '../src/contract/handler.ts';
${implemented.map(({ id }) => `import ${id} from '../src/operations/${id}.ts';\n`).join('')}import type { Store } from '../src/store/store.ts';

/** By operationId, in the order of the document. */
export const handlers: Handlers<Store> = {
${operations.map(({ id, implemented: has }) => (has ? `  ${id},\n` : `  ${id}: null,\n`)).join('')}};
`,
    ],
  ]);
}

/** `defaulted`: the server's view, in which what has a default is always there. */
async function types(root: JsonObject, defaulted: boolean): Promise<string> {
  const prepare = (value: Json, key?: string): Json => {
    if (Array.isArray(value)) return value.map((part: Json) => prepare(part));
    if (!isObject(value)) return value;
    // openapi-typescript takes every header behind a $ref for a required one; written out it sees which are not.
    const source =
      key === 'headers'
        ? entries(value).map(([name, header]) => [name, resolve(root, header) ?? null] as const)
        : entries(value);
    const copy = Object.fromEntries(source.map(([name, part]) => [name, prepare(part, name)]));
    // It leaves a parameter with a default optional, also where it makes such a property required.
    const required = defaulted && typeof copy['in'] === 'string' && member(copy['schema'], 'default') !== undefined;
    return required ? { ...copy, required } : copy;
  };
  // A plain copy, which openapi-typescript validates once more and may write to.
  const nodes = await openapiTypescript(JSON.parse(JSON.stringify(prepare(root))), {
    defaultNonNullable: defaulted,
    transform: (schema) => (schema.format === 'int64' ? bigint(schema.type) : undefined),
  });
  return astToString(nodes);
}

/** An int64 is a bigint, or null where its `type` lists that too. */
function bigint(type: unknown): ts.TypeNode {
  const node = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
  const orNull = ts.factory.createLiteralTypeNode(ts.factory.createNull());
  return Array.isArray(type) && type.includes('null') ? ts.factory.createUnionTypeNode([node, orNull]) : node;
}

/** Handlers without an operation and operations without a handler, a line each. */
function compareHandlers(contract: Contract): string[] {
  const files = readdirSync(new URL('src/operations/', root)).map((file) => file.replace(/\.ts$/, ''));
  const operations = [...contract.operations.values()];
  return [
    ...operations
      .filter(({ id, implemented }) => implemented && !files.includes(id))
      .map(
        ({ id }) =>
          `${id} has no handler: write src/operations/${id}.ts, or let npm run generate -- --scaffold begin it`,
      ),
    ...operations
      .filter(({ id, implemented }) => !implemented && files.includes(id))
      .map(
        ({ id }) => `src/operations/${id}.ts is a handler of what is x-not-implemented: remove that from openapi.yaml`,
      ),
    ...files
      .filter((file) => !contract.operations.has(file))
      .map((file) => `src/operations/${file}.ts answers no operation of openapi.yaml: remove or rename it`),
  ];
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Writes what is missing of each new operation: its handler and its test. */
function scaffold(contract: Contract): void {
  for (const operation of contract.operations.values()) {
    if (!operation.implemented || existsSync(new URL(`src/operations/${operation.id}.ts`, root))) continue;
    for (const [name, text] of printScaffold(contract, operation)) {
      if (existsSync(new URL(name, root))) continue;
      writeFileSync(new URL(name, root), text);
      say(`wrote ${name}, which is yours to go on with`);
    }
  }
}

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { check: flag, scaffold: flag } });
try {
  const contract = readContract(readDocument(new URL('openapi.yaml', root)));
  checkExamples(contract, compileSchemas(contract));
  if (values.scaffold && !values.check) scaffold(contract);
  const folder = new URL('generated/', root);
  const stale: string[] = [];
  const printed = await print(contract);
  for (const [name, text] of printed) {
    const file = new URL(name, folder);
    mkdirSync(new URL('.', file), { recursive: true });
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    stale.push(`generated/${name}`);
    if (!values.check) writeFileSync(file, text);
  }
  const strays = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(fileURLToPath(folder), join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((name) => !printed.has(name))
    .map((name) => `generated/${name}`);
  const problems = [
    ...(values.check ? stale.map((file) => `${file} is stale: run npm run generate`) : []),
    ...strays.map((file) => `${file} is not printed from openapi.yaml: remove it`),
    ...compareHandlers(contract),
  ];
  for (const line of problems) say(line);
  if (!values.check) for (const file of stale) say(`wrote ${file}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof ContractError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
