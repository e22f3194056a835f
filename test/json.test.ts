import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactInteger, int64, parseJson, printJson } from '../src/json.ts';

/** The exact integer of the literal `text`. */
function integer(text: string): bigint | null {
  const holder = Object(parseJson(`{"n":${text}}`));
  return exactInteger(holder, 'n', holder.n);
}

describe('exactInteger', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['0.0', 0n],
    ['0e5', 0n],
    ['0e99999999999999999999', 0n],
    ['5', 5n],
    ['-5', -5n],
    ['5.0', 5n],
    ['5e0', 5n],
    ['5E+2', 500n],
    ['0.05e2', 5n],
    ['500e-2', 5n],
    ['1.50e1', 15n],
    ['999999999999999', 999_999_999_999_999n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['-9007199254740993.000', -9_007_199_254_740_993n],
    ['9223372036854775807', int64.max],
    ['-9223372036854775808', int64.min],
    ['9.223372036854775807e18', int64.max],
    ['92233720368547758070e-1', int64.max],
  ])('%s is %s', (text, value) => {
    expect(integer(text)).toBe(value);
  });

  test.each([
    '0.5',
    '5.5',
    '1e-1',
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '1e400',
    '-1e400',
    '1e999999999999',
    '1e-999999999999',
    '5.00000000000000000001',
    '0.99999999999999999999',
    '4503599627370497.5',
    `1${'0'.repeat(5_000)}`,
  ])('%s is none', (text) => {
    expect(integer(text)).toBeNull();
  });

  test('every int64, however it is written, is exact', () => {
    fc.assert(
      fc.property(fc.bigInt(int64), fc.nat(30), (value, zeros) => {
        expect(integer(`${value}`)).toBe(value);
        expect(integer(`${value}.${'0'.repeat(zeros + 1)}`)).toBe(value);
        // No JSON number begins with two zeros.
        if (value !== 0n) expect(integer(`${value}${'0'.repeat(zeros)}e-${zeros}`)).toBe(value);
      }),
    );
  });

  test('no integer outside int64 is taken for one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: int64.max + 1n }), (value) => {
        expect(integer(`${value}`)).toBeNull();
        expect(integer(`${-value - 1n}`)).toBeNull();
      }),
    );
  });

  test('numbers of one name in different objects keep apart, and the last of a repeated name counts', () => {
    const [first, second] = parseJson('[{"n":9007199254740993},{"n":9007199254740995,"n":9007199254740997}]') as {
      n: number;
    }[];
    expect(exactInteger(first as object, 'n', first?.n ?? 0)).toBe(9_007_199_254_740_993n);
    expect(exactInteger(second as object, 'n', second?.n ?? 0)).toBe(9_007_199_254_740_997n);
  });
});

describe('parseJson', () => {
  test('takes what JSON.parse takes, and gives the same', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8, noUnicodeString: false }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a":1}x',
    "{'a':1}",
    '{a:1}',
    '[1,]',
    'NaN',
    '05',
    '+5',
    '0x10',
    '.5',
    '"\n"',
    'undefined',
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test.each([
    '{"__proto__":1}',
    '{"a":[{"b":{"__proto__":null}}]}',
    '{"\\u005f_proto__":{}}',
    '{"__proto\\u005f_":{}}',
    '{"__proto__" :1}',
  ])('refuses the key in %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test.each([
    '{"constructor":{"prototype":{"a":1}}}',
    '{"a":"__proto__"}',
    '{"a":"\\"__proto__\\":"}',
    '{"toString":1}',
  ])('takes %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test('64 levels are the most, and brackets in texts are none', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(() => parseJson(nested(65))).toThrow('deeper than 64');
    expect(() => parseJson(JSON.stringify(['\\"['.repeat(100), '{'.repeat(100)]))).not.toThrow();
  });

  test('ignores a byte order mark (RFC 8259, section 8.1)', () => {
    expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 });
  });
});

describe('printJson', () => {
  test('prints a bigint as its digits, at any depth', () => {
    expect(printJson({ id: int64.max, list: [int64.min] })).toBe(
      '{"id":9223372036854775807,"list":[-9223372036854775808]}',
    );
  });

  test('prints everything else as JSON.stringify does', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(printJson(value)).toBe(JSON.stringify(value))));
  });
});
