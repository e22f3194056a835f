import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Contract } from './contract.ts';
import { at, ContractError, member, resolve } from './document.ts';
import { exactSchemas } from './exact.ts';
import type { Operation } from './operations.ts';

/** What the client has besides its operations, by `createClient`; and what would make a promise of it. */
const taken = ['each', 'http', 'checkContract', 'then'];

/**
 * What the client knows of the contract: `contract.js` and its types, by file name. Throws `ContractError` where an
 * operation or a parameter has a name that the client cannot give it.
 */
export function printContract(contract: Contract): Map<string, string> {
  const { root, hash } = contract.document;
  checkNames(contract);
  const exact = exactSchemas(root);
  const operations = [...contract.operations.values()].map((operation) => {
    const replies = [...operation.responses].map(([status, { schema }]) => {
      const found = schema === null ? undefined : at(root, schema);
      return [status, found === undefined ? null : exact.of(found)] as const;
    });
    const { id, method, path } = operation;
    return {
      id,
      text: describe(contract, operation),
      value: { method, path, paged: isPaged(contract, operation), replies: Object.fromEntries(replies) },
    };
  });
  const value = {
    hash,
    basePath: contract.basePath,
    operations: Object.fromEntries(operations.map((operation) => [operation.id, operation.value])),
    schemas: Object.fromEntries(exact.referred),
  };
  return new Map([
    ['contract.js', `export const contract = ${JSON.stringify(value, null, 2)};\n`],
    [
      'contract.d.ts',
      `/** A schema of which only that is left which leads to an int64. */
export interface ExactSchema {
  readonly format?: 'int64';
  readonly $ref?: string;
  readonly items?: ExactSchema;
  readonly additionalProperties?: ExactSchema;
  readonly unevaluatedItems?: ExactSchema;
  readonly unevaluatedProperties?: ExactSchema;
  readonly if?: ExactSchema;
  readonly then?: ExactSchema;
  readonly else?: ExactSchema;
  readonly allOf?: readonly ExactSchema[];
  readonly anyOf?: readonly ExactSchema[];
  readonly oneOf?: readonly ExactSchema[];
  readonly prefixItems?: readonly ExactSchema[];
  readonly properties?: Readonly<Record<string, ExactSchema>>;
  readonly patternProperties?: Readonly<Record<string, ExactSchema>>;
  readonly dependentSchemas?: Readonly<Record<string, ExactSchema>>;
}

export interface OperationContract {
  readonly method: string;
  readonly path: string;
  /** Whether it answers a list page by page. */
  readonly paged: boolean;
  /** By documented status, where int64 stands in the body; null where nowhere. */
  readonly replies: Readonly<Record<number, ExactSchema | null>>;
}

export declare const contract: {
  /** SHA-256 of the document, the first 16 hexadecimal digits. */
  readonly hash: string;
  readonly basePath: string;
  readonly operations: {
${operations.map(({ id, text, value: { paged } }) => `${text}    readonly ${id}: OperationContract & { readonly paged: ${paged} };\n`).join('')}  };
  /** By \`$ref\`. */
  readonly schemas: Readonly<Record<string, ExactSchema>>;
};
`,
    ],
  ]);
}

/** A list whose next page is in `Link`. */
function isPaged({ document }: Contract, { method, responses }: Operation): boolean {
  const reply = responses.get(200);
  const schema = reply?.schema == null ? undefined : resolve(document.root, at(document.root, reply.schema));
  return method === 'get' && member(schema, 'type') === 'array' && reply?.headers.has('link') === true;
}

function checkNames({ operations }: Contract): void {
  const problems: string[] = [];
  for (const { id, parameters } of operations.values()) {
    if (taken.includes(id)) problems.push(`${id}: the client has a member of that name; choose another operationId`);
    const names = parameters.map(({ name }) => name);
    for (const [index, name] of names.entries())
      if (name === 'body' || names.indexOf(name) < index)
        problems.push(
          `${id}: the client takes path, query and body by name, and ${name} would be two things; rename the parameter`,
        );
  }
  if (problems.length > 0) throw new ContractError(problems);
}

/** What the document says of an operation, as a comment that an editor shows. */
function describe({ document }: Contract, { path, method, deprecation }: Operation): string {
  const operation = member(member(member(document.root, 'paths'), path), method);
  const lines = [member(operation, 'summary'), member(operation, 'description')].filter(
    (text) => typeof text === 'string',
  );
  const end = deprecation && `@deprecated Removed on ${deprecation.sunsetDay}; use ${deprecation.replacedBy}.`;
  const text = [...lines, ...(end ? [end] : [])].join('\n\n').trim().replaceAll('*/', '*\\/');
  return text === ''
    ? ''
    : `    /**\n${text
        .split('\n')
        .map((line) => `     * ${line}`.trimEnd())
        .join('\n')}\n     */\n`;
}

/**
 * The client of src/client as JavaScript and declarations, by file name: what a consumer loads, as node does not run
 * TypeScript below node_modules. `folder` is src/client.
 */
export function printPackage(folder: URL): Map<string, string> {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
    strict: true,
  };
  const head = '// Printed from src/client by npm run generate. Not for editing.\n\n';
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return new Map(
    files.flatMap((fileName) => {
      const source = readFileSync(new URL(fileName, folder), 'utf8');
      const declarations = ts.transpileDeclaration(source, { compilerOptions, fileName, reportDiagnostics: true });
      for (const { messageText } of declarations.diagnostics ?? [])
        throw new Error(`src/client/${fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
      const name = fileName.replace(/\.ts$/, '');
      const code = ts.transpileModule(source, { compilerOptions, fileName }).outputText;
      const types = [`client/${name}.d.ts`, head + relocate(declarations.outputText)] as const;
      // Of types alone no code is left.
      return code.trim() === 'export {};' ? [types] : [[`client/${name}.js`, head + relocate(code)] as const, types];
    }),
  );
}

/** From src/client to generated/client, where the printed files are one level up. */
function relocate(text: string): string {
  return text.replaceAll(/(?<=\bfrom ['"])\.[^'"]*/g, (target) =>
    target
      .replace('../../generated/', '../')
      .replace(/(?<!\.d)\.ts$/, '.js')
      .replace(/\.d\.ts$/, '.js'),
  );
}
