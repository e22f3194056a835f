import type { Contract } from '../contract.ts';
import type { Case } from './case.ts';
import { buildJudge } from './judge.ts';
import { operationCases } from './operationCases.ts';
import { strangeCases } from './strangeCases.ts';

/**
 * Requests for every operation of the contract, valid and not, made from its schemas and examples, and requests that
 * no operation answers. Deterministic. What changes something it did not make itself is not among them. `now`, in Unix
 * milliseconds, decides whether a deprecated operation is removed.
 */
export function casesOf(contract: Contract, now: number): Case[] {
  const judge = buildJudge(contract);
  // What is created first can be listed afterwards.
  const order = [...contract.operations.values()].sort(
    (a, b) => Number(b.method === 'post') - Number(a.method === 'post'),
  );
  const makers = order.map((operation) => operationCases(contract, judge, operation, now));
  return [...makers.flatMap((maker) => maker.all()), ...strangeCases(contract, judge)];
}

/** Random cases without end, from `random` in [0, 1): valid values mixed, every other time with one that is not. */
export function* mixedCases(contract: Contract, now: number, random: () => number): Generator<Case> {
  const judge = buildJudge(contract);
  const makers = [...contract.operations.values()].flatMap(
    (operation) => operationCases(contract, judge, operation, now).mixed ?? [],
  );
  for (let number = 1; makers.length > 0; number++) for (const mixed of makers) yield mixed(number, random);
}
