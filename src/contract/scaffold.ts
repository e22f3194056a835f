import type { Contract } from './contract.ts';
import { at, entries, isObject, type Json, member, resolve } from './document.ts';
import type { Operation } from './operations.ts';

/**
 * The two files of a new operation, by name: a handler that compiles and answers 501 until it is written, and a test
 * that asks it by the document's own examples, and fails until then.
 */
export function printScaffold(contract: Contract, operation: Operation): Map<string, string> {
  const { id, method, path, responses } = operation;
  const success = [...responses.keys()].find((status) => status < 300) ?? 200;
  const body = operation.body === null ? undefined : exampleOf(contract, operation.body);
  const asked = ['key', ...(body === undefined ? [] : [`body: ${literal(body)}`])];
  return new Map([
    [
      `src/operations/${id}.ts`,
      `import type { Handler } from '../contract/handler.ts';
import { Failure } from '../failure.ts';
import type { Store } from '../store/store.ts';

export default (async () => {
  throw new Failure('not_implemented', '${id} is promised, but not implemented yet.');
}) satisfies Handler<'${id}', Store>;
`,
    ],
    [
      `test/operations/${id}.test.ts`,
      `import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

describe('${id}', () => {
  // Printed by npm run generate -- --scaffold, to be made true.
  test('${success}', async () => {
    const reply = await service.ask('${method.toUpperCase()}', '${contract.basePath}${address(contract, operation, path)}', { ${asked.join(', ')} });
    expect(reply.status).toBe(${success});
  });
});
`,
    ],
  ]);
}

/** The path with its parameters, and the query that cannot be left out, filled in from their examples. */
function address(contract: Contract, { parameters }: Operation, path: string): string {
  const value = (name: string): string => {
    const parameter = parameters.find((one) => one.name === name);
    const example = parameter && exampleOf(contract, parameter.schema);
    return encodeURIComponent(String(example ?? (parameter?.type === 'boolean' ? true : 1)));
  };
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const search = query.map(({ name }) => `${encodeURIComponent(name)}=${value(name)}`).join('&');
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name)) + (search === '' ? '' : `?${search}`);
}

/** The first example beside the schema at `pointer`. */
function exampleOf({ document: { root } }: Contract, pointer: string): Json | undefined {
  const holder = at(root, pointer.slice(0, pointer.lastIndexOf('/')));
  const [first] = entries(member(holder, 'examples'));
  return member(holder, 'example') ?? member(resolve(root, first?.[1]), 'value');
}

/** A value as the project writes it. */
function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = entries(value).map(
    ([name, part]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)}: ${literal(part)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
