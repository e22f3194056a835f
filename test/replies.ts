import { expect } from 'vitest';
import type { Contract } from '../src/contract/contract.ts';
import { buildJudge, type Reply } from '../src/contract/test/judge.ts';

export type { Reply } from '../src/contract/test/judge.ts';

/**
 * Holds every reply against the document, by the judge of `animal-store contract test`. `seen` collects
 * "operationId status".
 */
export function replyChecker(contract: Contract): {
  check(method: string, target: string, reply: Reply): void;
  seen: Set<string>;
} {
  const { judge, operationOf } = buildJudge(contract);
  const seen = new Set<string>();
  return {
    seen,
    check(method, target, reply) {
      const { problems } = judge(method, target, reply);
      expect(problems, `${method} ${target} answered ${reply.status} ${reply.text.slice(0, 300)}`).toEqual([]);
      const operation = operationOf(method, target);
      if (operation !== null) seen.add(`${operation.id} ${reply.status}`);
    },
  };
}
