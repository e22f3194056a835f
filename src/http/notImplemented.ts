import type { RouteHandlerMethod } from 'fastify';
import type { Contract } from '../contract/contract.ts';
import { at, entries, member, resolve } from '../contract/document.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure } from '../failure.ts';

/**
 * The handler of an operation that is `x-not-implemented`: 501; or, in mock mode, the first example of its success in
 * the document, marked by the header `X-Mock: true`. Mock mode without an example is 501 too.
 */
export function notImplemented(contract: Contract, operation: Operation, mocks: boolean): RouteHandlerMethod {
  const mock = mocks ? exampleOf(contract, operation) : null;
  return (_request, reply) => {
    if (mock === null) throw new Failure('not_implemented', `${operation.id} is promised, but not implemented yet.`);
    reply.code(mock.status).header('x-mock', 'true');
    if (mock.body === null) return reply.send();
    return reply.type('application/json').send(mock.body);
  };
}

function exampleOf(
  { document: { root } }: Contract,
  operation: Operation,
): { status: number; body: string | null } | null {
  for (const [status, { schema }] of operation.responses) {
    if (status >= 300) continue;
    if (schema === null) return { status, body: null };
    const content = at(root, schema.slice(0, schema.lastIndexOf('/')));
    const [first] = entries(member(content, 'examples'));
    const example = member(content, 'example') ?? member(resolve(root, first?.[1]), 'value');
    if (example !== undefined) return { status, body: JSON.stringify(example) };
  }
  return null;
}
