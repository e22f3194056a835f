import { expect } from 'vitest';
import type { Contract } from '../src/contract/contract.ts';
import { compileSchemas } from '../src/http/validation.ts';
import { parseJson } from '../src/json.ts';

/** A reply as it came over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Headers that HTTP itself, or CORS, puts on a response; all others must be in the document. */
const standard = [
  'content-type', 'content-length', 'date', 'connection', 'keep-alive', 'vary', 'allow', 'transfer-encoding',
  'access-control-allow-origin', 'access-control-expose-headers', 'access-control-allow-methods',
  'access-control-allow-headers', 'access-control-max-age',
];

const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit'];

/**
 * Holds every reply against the document: status, media type, body and headers of the operation that was asked, the
 * Error body and the rate limit headers everywhere else. `seen` collects "operationId status".
 */
export function replyChecker(contract: Contract): { check(method: string, target: string, reply: Reply): void; seen: Set<string> } {
  const compile = compileSchemas(contract);
  const validators = new Map<string, ReturnType<typeof compile>>();
  const validate = (pointer: string, value: unknown): string | null => {
    const validator = validators.get(pointer) ?? compile(pointer);
    validators.set(pointer, validator);
    return validator(value) ? null : JSON.stringify(validator.errors, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));
  };
  const seen = new Set<string>();

  return {
    seen,
    check(method, target, reply) {
      const path = new URL(target, 'http://localhost').pathname;
      const where = `${method} ${target} answered ${reply.status} ${reply.text.slice(0, 300)}`;
      const ours = path === contract.basePath || path.startsWith(`${contract.basePath}/`);
      if (ours) for (const name of limits) expect(reply.headers.has(name), `${where} without ${name}`).toBe(true);
      if (reply.status >= 400 && method !== 'HEAD') {
        expect(reply.headers.get('content-type'), where).toMatch(/^application\/json\b/);
        const body: unknown = JSON.parse(reply.text);
        expect(body, where).toEqual({ code: expect.any(String), message: expect.any(String), status: reply.status });
        expect(validate('#/components/schemas/Error', body), where).toBeNull();
        expect(contract.errorCodes, where).toContain(Reflect.get(Object(body), 'code'));
      }
      const operation = [...contract.operations.values()].find(
        (one) =>
          one.method === (method === 'HEAD' ? 'get' : method.toLowerCase()) &&
          new RegExp(`^${contract.basePath}${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      );
      if (operation === undefined) return;
      const documented = operation.responses.get(reply.status);
      if (documented === undefined) throw new Error(`${where}, which ${operation.id} does not document`);
      seen.add(`${operation.id} ${reply.status}`);
      for (const [name, header] of documented.headers) {
        const value = reply.headers.get(name);
        if (value === null) expect(header.required, `${where} without ${name}`).toBe(false);
        else {
          const number = /^\d+$/.test(value) ? Number(value) : value;
          const problem = validate(header.schema, number) === null ? null : validate(header.schema, value);
          expect(problem, `${where}: ${name}: ${value}`).toBeNull();
        }
      }
      for (const name of reply.headers.keys())
        expect(documented.headers.has(name) || standard.includes(name), `${where} with the undocumented header ${name}`).toBe(true);
      if (method === 'HEAD') expect(reply.text, where).toBe('');
      else if (documented.schema !== null) {
        expect(reply.headers.get('content-type'), where).toMatch(/^application\/json\b/);
        expect(validate(documented.schema, parseJson(reply.text)), where).toBeNull();
      } else expect(reply.text, where).toBe('');
    },
  };
}
