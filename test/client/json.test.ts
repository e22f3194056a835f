import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseJson, type printJson } from '../../src/client/json.ts';
import { parseText } from '../../src/contract/document.ts';
import { exactSchemas } from '../../src/contract/exact.ts';

const int64 = { format: 'int64' } as const;

describe('parseJson', () => {
  test.each([
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854776000', 9223372036854776000n],
    ['0', 0n],
    ['-0', 0n],
    ['5.0', 5n],
    ['5e0', 5n],
    ['0.05e2', 5n],
    ['9.223372036854775807e18', 9223372036854775807n],
    ['92233720368547758070e-1', 9223372036854775807n],
    ['0.00e400', 0n],
    ['5.5', 5.5],
    ['1e300', 1e300],
    ['null', null],
    ['"9007199254740993"', '9007199254740993'],
  ])('%s where an int64 stands', (text, value) => {
    expect(parseJson(text, int64)).toBe(value);
  });

  test('numbers elsewhere are what JSON.parse makes of them', () => {
    const text = '{"id":1,"n":[9007199254740993,-0,1.5e3,0.1],"s":"a \\"1\\" \\\\ 2","\\u0031":[1,{"id":2}]}';
    const expected = JSON.parse(text);
    expect(parseJson(text, { properties: { id: int64 } })).toStrictEqual({ ...expected, id: 1n });
    expect(parseJson(text)).toStrictEqual(expected);
  });

  test.each(['01', '1.', '{"a":1,}', '', '[1 2]', '-', '1e', '"\n"'])('no JSON: %j', (text) => {
    expect(() => parseJson(text, int64)).toThrow(SyntaxError);
  });

  test('names of a prototype are names like others', () => {
    const schema = { additionalProperties: int64 };
    expect(parseJson('{"constructor":1,"toString":2}', schema)).toEqual({ constructor: 1n, toString: 2n });
    expect(Object.entries(parseJson('{"__proto__":3}', schema) as object)).toEqual([['__proto__', 3n]]);
    expect(parseJson('{"constructor":1}', { properties: { id: int64 } })).toEqual({ constructor: 1 });
  });

  test('any JSON is parsed as JSON.parse does, where no int64 stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text, { properties: { '\0none': int64 } })).toStrictEqual(JSON.parse(text));
      }),
    );
  });
});

describe('places of int64 in a document', () => {
  const { root } = parseText(`
components:
  schemas:
    Id: { type: integer, format: int64 }
    Tree:
      type: object
      properties:
        id: { $ref: '#/components/schemas/Id' }
        size: { type: integer, format: int32 }
        children: { type: array, items: { $ref: '#/components/schemas/Tree' } }
    Counts:
      type: object
      properties: { total: { type: number } }
      additionalProperties: { type: [integer, 'null'], format: int64 }
    Either:
      oneOf: [{ $ref: '#/components/schemas/Tree' }, { type: array, items: { $ref: '#/components/schemas/Counts' } }]
    Pair: { type: array, prefixItems: [{ type: string }, { type: integer, format: int64 }], items: { type: number } }
    Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }, { $ref: '#/components/schemas/Tree' }] }
    Pattern: { type: object, patternProperties: { '^n_': { type: integer, format: int64 } } }
    Plain: { type: object, properties: { format: { type: string }, n: { type: integer }, me: { $ref: '#/components/schemas/Plain' } } }
`);
  const parse = (name: string, text: string) => {
    const exact = exactSchemas(root);
    const schema = exact.of({ $ref: `#/components/schemas/${name}` });
    return parseJson(text, schema, Object.fromEntries(exact.referred));
  };

  test.each([
    [
      'Tree',
      '{"id":1,"size":2,"children":[{"id":3,"children":[{"id":4}]}]}',
      { id: 1n, size: 2, children: [{ id: 3n, children: [{ id: 4n }] }] },
    ],
    ['Counts', '{"total":1,"a":2,"b":null}', { total: 1, a: 2n, b: null }],
    ['Either', '{"id":1}', { id: 1n }],
    ['Either', '[{"total":1,"id":2}]', [{ total: 1, id: 2n }]],
    ['Pair', '["x",1,2]', ['x', 1n, 2]],
    ['Loop', '{"id":1,"size":1}', { id: 1n, size: 1 }],
    ['Pattern', '{"n_a":1,"a":1}', { n_a: 1n, a: 1 }],
    ['Plain', '{"n":1}', { n: 1 }],
  ])('%s %s', (name, text, value) => {
    expect(parse(name, text)).toEqual(value);
  });

  test('nothing is printed of what leads to none', () => {
    expect(exactSchemas(root).of({ $ref: '#/components/schemas/Plain' })).toBeNull();
  });
});

describe.each(['with JSON.rawJSON', 'without JSON.rawJSON'])('printJson %s', (engine) => {
  const load = async () => {
    vi.resetModules();
    if (engine.startsWith('without')) vi.stubGlobal('JSON', { parse: JSON.parse, stringify: JSON.stringify });
    return (await import('../../src/client/json.ts')).printJson;
  };
  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  });

  test('a bigint is its digits, all else as JSON.stringify has it', async () => {
    const print: typeof printJson = await load();
    const value = {
      id: 2n ** 63n - 1n,
      list: [-(2n ** 63n), 0n, 1, -0, 0.1, 1e21, NaN],
      text: '0 "1" \\ 2',
      at: new Date(0),
      not: undefined,
    };
    expect(print(value)).toBe(
      '{"id":9223372036854775807,"list":[-9223372036854775808,0,1,0,0.1,1e+21,null],"text":"0 \\"1\\" \\\\ 2","at":"1970-01-01T00:00:00.000Z"}',
    );
  });

  test('also where somebody gave BigInt a toJSON', async () => {
    const print: typeof printJson = await load();
    Object.defineProperty(BigInt.prototype, 'toJSON', { configurable: true, value: String });
    expect(print([1n])).toBe('[1]');
  });

  test('any value', async () => {
    const print: typeof printJson = await load();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(print(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});
