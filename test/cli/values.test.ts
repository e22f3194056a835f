import { describe, expect, test } from 'vitest';
import { instant, label, quotaNumber } from '../../src/cli/values.ts';

describe('a quota', () => {
  test.each([
    ['1', 1],
    ['60', 60],
    ['1000000000', 1_000_000_000],
  ])('%s', (text, number) => {
    expect(quotaNumber(text)).toBe(number);
  });

  test.each([
    '0',
    '1000000001',
    '9999999999',
    '10000000000',
    '05',
    '1e3',
    '5.0',
    '-5',
    '+5',
    ' 5',
    '5 ',
    '0x5',
    '1_000',
    '٥',
    'many',
    '',
  ])('is not %j', (text) => {
    expect(() => quotaNumber(text)).toThrow('It takes a whole number from 1 to 1000000000.');
  });
});

describe('an instant', () => {
  test.each([
    ['2999-01-31', '2999-01-31T00:00:00.000Z'],
    ['2996-02-29', '2996-02-29T00:00:00.000Z'],
    ['2999-02-28T12:30Z', '2999-02-28T12:30:00.000Z'],
    ['2999-01-31T00:30:00.5+02:00', '2999-01-30T22:30:00.500Z'],
    ['2999-01-31T23:00:00-02:00', '2999-02-01T01:00:00.000Z'],
  ])('%s is %s', (text, utc) => {
    expect(instant(text).toISOString()).toBe(utc);
  });

  test.each([
    'soon',
    '2999-02-29',
    '2999-02-30',
    '2999-13-01',
    '2999-01-00',
    '2999-01-31T12:00',
    '2999-01-31T25:00Z',
    '2999-01-31 12:00Z',
    '31.01.2999',
    '32503680000',
    '2999',
    '2999-1-1',
    '+012999-01-01',
    '',
  ])('is not %j', (text) => {
    expect(() => instant(text)).toThrow('ISO 8601');
  });

  test.each(['2020-01-31', '0001-01-01', new Date().toISOString().slice(0, 10), new Date().toISOString()])(
    'is not in the past, as %s',
    (text) => {
      expect(() => instant(text)).toThrow('in the past');
    },
  );
});

describe('a name', () => {
  test.each(['', 'Ann’s Ζωή 🐾', 'x'.repeat(200)])('%s', (text) => {
    expect(label(text)).toBe(text);
  });

  test.each(['two\nlines', 'a\ttab', 'a\u0000b', '\u001b[31m', 'x'.repeat(201)])('is not %j', (text) => {
    expect(() => label(text)).toThrow('It takes up to 200 characters without control characters.');
  });
});
