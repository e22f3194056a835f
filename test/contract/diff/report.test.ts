import { describe, expect, test } from 'vitest';
import { accept, isBlocking, readAcceptances } from '../../../src/contract/diff/accept.ts';
import type { Change } from '../../../src/contract/diff/diff.ts';
import { annotations, changelog, count, jsonReport, textReport } from '../../../src/contract/diff/report.ts';

const BOUND: Change = {
  rule: 'maximum-lowered',
  severity: 'breaking',
  operation: 'GET /pets (listPets)',
  place: 'query parameter limit',
  reason: 'The greatest number allowed is smaller.',
  before: 100,
  after: 50,
};
const REMOVED: Change = {
  ...BOUND,
  rule: 'enum-value-removed',
  place: 'query parameter status',
  before: 'sold',
  after: undefined,
};
const QUOTA: Change = {
  rule: 'quota-raised',
  severity: 'harmless',
  operation: null,
  place: 'x-rate-limits /plans/free/perDay',
  reason: 'Consumers may use more.',
  before: 1000,
  after: 2000,
};
const PATTERN: Change = {
  ...BOUND,
  rule: 'pattern-changed',
  severity: 'warning',
  reason: 'See `pattern`.',
  before: '^`a`*$',
  after: '50%\n',
};

describe('text', () => {
  test('what breaks comes first, with all that was asked for', () => {
    expect(textReport([QUOTA, BOUND])).toBe(
      [
        'breaking  GET /pets (listPets)',
        '  query parameter limit: 100 → 50',
        '  The greatest number allowed is smaller. [maximum-lowered]',
        '',
        'harmless  document',
        '  x-rate-limits /plans/free/perDay: 1000 → 2000',
        '  Consumers may use more. [quota-raised]',
        '',
        '1 breaking, 0 worth a warning, 1 harmless.',
        '',
      ].join('\n'),
    );
  });

  test('nothing', () => {
    expect(textReport([])).toBe('No change that consumers can notice.\n');
  });

  test('a value that fills pages is cut', () => {
    const long = textReport([{ ...BOUND, before: 'x'.repeat(5000) }]);
    expect(long.length).toBeLessThan(500);
    expect(long).toContain('…');
  });

  test('an accepted change says why, and is counted apart', () => {
    const text = textReport([{ ...BOUND, accepted: 'No one asks for more.' }]);
    expect(text).toContain('  Accepted: No one asks for more.');
    expect(text).toContain('0 breaking, 0 worth a warning, 0 harmless, 1 breaking and accepted.');
  });
});

test('JSON can be read back', () => {
  expect(JSON.parse(jsonReport([BOUND, REMOVED]))).toEqual({
    summary: { breaking: 2, warning: 0, harmless: 0, accepted: 0 },
    changes: [BOUND, { ...REMOVED, after: undefined }].map((change) => JSON.parse(JSON.stringify(change))),
  });
});

describe('GitHub annotations', () => {
  test('severity is the command', () => {
    expect(
      annotations([BOUND, PATTERN, QUOTA, { ...BOUND, accepted: 'Yes.' }])
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['::error', '::warning', '::notice', '::notice', '']);
  });

  test('one line, escaped as the runner reads it', () => {
    expect(annotations([PATTERN], 'api,v1:x.yaml')).toBe(
      '::warning file=api%2Cv1%3Ax.yaml,title=GET /pets (listPets)%3A pattern-changed::' +
        'query parameter limit: "^`a`*$" → "50%25\\n". See `pattern`.\n',
    );
    expect(annotations([{ ...PATTERN, reason: 'a\r\nb' }])).toContain('a%0D%0Ab\n');
  });
});

describe('changelog', () => {
  test('by severity, then by operation', () => {
    expect(changelog([QUOTA, BOUND, { ...REMOVED, accepted: 'It never was.' }], 'Unreleased')).toBe(
      [
        '## Unreleased',
        '',
        '### Breaking',
        '',
        '**`GET /pets (listPets)`**',
        '',
        '- `query parameter limit`: `100` → `50`. The greatest number allowed is smaller.',
        '- `query parameter status`: `"sold"` removed. The greatest number allowed is smaller. *On purpose: It never was.*',
        '',
        '### Also changed',
        '',
        '**The whole document**',
        '',
        '- `x-rate-limits /plans/free/perDay`: `1000` → `2000`. Consumers may use more.',
        '',
      ].join('\n'),
    );
  });

  test('values cannot leave their code span, nor words become Markdown', () => {
    const text = changelog([{ ...PATTERN, accepted: 'see [x](y) *now*' }], '1.0 <b>');
    expect(text).toContain('``"^`a`*$"``');
    expect(text).toContain('## 1.0 \\<b\\>');
    expect(text).toContain('see \\[x\\](y) \\*now\\*');
    expect(text).toContain('See `pattern`.');
  });

  test('nothing', () => {
    expect(changelog([], '1.0.1')).toBe('## 1.0.1\n\nNothing changed for consumers.\n');
  });
});

describe('acceptance', () => {
  const acceptance = {
    rule: 'maximum-lowered',
    operation: 'GET /pets (listPets)',
    place: 'query parameter limit',
    reason: 'No one asks for more.',
  };

  test('lets the change that it names through, and no other', () => {
    const { changes, unused } = accept([BOUND, REMOVED], [acceptance]);
    expect(changes.map(isBlocking)).toEqual([false, true]);
    expect(changes[0]).toEqual({ ...BOUND, accepted: 'No one asks for more.' });
    expect(unused).toEqual([]);
    expect(count(changes)).toEqual({ breaking: 1, warning: 0, harmless: 0, accepted: 1 });
  });

  test.each([
    { rule: 'maximum-raised' },
    { operation: null },
    { place: 'query parameter' },
    { before: 99 },
    { after: 51 },
  ])('which differs in %j is for another change, and is reported', (other) => {
    const { changes, unused } = accept([BOUND], [{ ...acceptance, ...other }]);
    expect(changes.map(isBlocking)).toEqual([true]);
    expect(unused).toHaveLength(1);
  });

  test('tells values apart where one place has several changes', () => {
    const more = { ...REMOVED, before: 'pending' };
    const { changes } = accept(
      [REMOVED, more],
      [{ ...acceptance, rule: REMOVED.rule, place: REMOVED.place, before: 'pending' }],
    );
    expect(changes.map(isBlocking)).toEqual([true, false]);
  });

  test.each([
    ['no list', {}],
    ['no object', ['maximum-lowered']],
    ['no place', [{ ...acceptance, place: undefined }]],
    ['no reason', [{ ...acceptance, reason: ' ' }]],
  ])('with %s is refused', (_, value) => {
    expect(() => readAcceptances(value)).toThrow(/^Accepted change(s are a list| 1 )/);
  });

  test('reads what it checks', () => {
    expect(readAcceptances([{ ...acceptance, after: 50, author: 'ignored' }])).toEqual([{ ...acceptance, after: 50 }]);
  });
});
