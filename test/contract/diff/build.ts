import type { Change, JsonObject, JsonValue, Severity } from '../../../src/contract/diff/diff.ts';
import { diffContracts } from '../../../src/contract/diff/diff.ts';

/** The day on which every test compares. */
export const TODAY = '2026-11-21';

export const diff = (older: unknown, newer: unknown): Change[] => diffContracts(older, newer, { today: TODAY });

export type Verdict = Severity | 'none';

/** The gravest of all changes. */
export function worst(changes: readonly Change[]): Verdict {
  const order: readonly Severity[] = ['breaking', 'warning', 'harmless'];
  return order.find((severity) => changes.some((change) => change.severity === severity)) ?? 'none';
}

export const rulesOf = (changes: readonly Change[]): string =>
  [...new Set(changes.map(({ rule }) => rule))].sort().join(' ');

/** A document with one schema, as the body of a request and of its response; `more` goes to the root. */
export const echo = (schema: JsonValue, more: JsonObject = {}): JsonObject =>
  withOperation(
    {
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '200': { description: 'The same.', content: { 'application/json': { schema } } } },
    },
    more,
  );

/** A document with `POST /things`. */
export const withOperation = (operation: JsonObject, more: JsonObject = {}): JsonObject =>
  withPaths({ '/things': { post: { responses: { '200': { description: 'Done.' } }, ...operation } } }, more);

export const withPaths = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: '3.1.1',
  info: { title: 'Test', version: '1.0.0' },
  paths,
  ...more,
});

export const ofRequest = (changes: readonly Change[]): Change[] =>
  changes.filter(({ place }) => place.startsWith('request'));

export const ofResponse = (changes: readonly Change[]): Change[] =>
  changes.filter(({ place }) => place.startsWith('response'));
