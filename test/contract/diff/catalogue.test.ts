import { describe, expect, test } from 'vitest';
import { textReport } from '../../../src/contract/diff/report.ts';
import type { Direction } from '../../../src/contract/diff/rule.ts';
import { catalogue } from '../../../src/contract/diff/rules/catalogue.ts';
import { diff, ofRequest, ofResponse } from './build.ts';

const SCHEMA_AREAS = ['types', 'values', 'bounds', 'objects', 'unions', 'annotations'];

// An example fails when its rule is deleted, looks at the wrong side, or has its effect turned round; `others` fails
// when two rules claim one change.
describe.each(Object.entries(catalogue))('%s', (area, rules) => {
  test.each(rules.map((rule) => [rule.name, rule] as const))('%s', (name, { effect, example: [older, newer] }) => {
    const changes = diff(older, newer);
    expect(new Set(changes.map(({ rule }) => rule))).toEqual(new Set([name]));
    if (SCHEMA_AREAS.includes(area)) {
      expect(ofRequest(changes).map(({ severity }) => severity)).toEqual(said(effect.request));
      expect(ofResponse(changes).map(({ severity }) => severity)).toEqual(said(effect.response));
    } else {
      const direction: Direction = ['responses', 'headers'].includes(area) ? 'response' : 'request';
      expect(changes.map(({ severity }) => severity)).toEqual(said(effect[direction]));
    }
  });

  test.each(rules.map((rule) => [rule.name, rule] as const))('%s is told in whole sentences', (_, { reason }) => {
    expect(reason).toMatch(/^[`A-Zn].*\.$/);
  });

  test.each(rules.map((rule) => [rule.name, rule] as const))('%s has an inverse', (_, { example: [older, newer] }) => {
    expect(diff(newer, older)).not.toEqual([]);
  });
});

// The catalogue as people meet it. It fails when a value is taken from the wrong side, or told at the wrong place.
test('every example as it is printed', async () => {
  const printed = Object.entries(catalogue).map(([area, rules]) => {
    const examples = rules.map(({ example: [older, newer] }) => withoutSummary(textReport(diff(older, newer))));
    return [`=== ${area}: ${rules.length}`, ...examples].join('\n\n');
  });
  await expect(`${printed.join('\n\n\n')}\n`).toMatchFileSnapshot('catalogue.txt');
});

test('no two rules share a name', () => {
  const names = Object.values(catalogue).flatMap((rules) => rules.map(({ name }) => name));
  expect(names).toEqual([...new Set(names)]);
});

const withoutSummary = (text: string): string => text.split('\n\n').slice(0, -1).join('\n');

const said = <T>(severity: T | undefined): T[] => (severity === undefined ? [] : [severity]);
