import type { ExactSchema } from '../../generated/contract.js';

/** A string, or a number, of valid JSON text. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Valid JSON text with every number of it replaced. */
function mapNumbers(text: string, replace: (literal: string) => string): string {
  return text.replace(token, (found) => (found.startsWith('"') ? found : replace(found)));
}

/**
 * Parses JSON text. A number that stands where `schema` has an int64 becomes a bigint, exact from its literal; all
 * others are numbers as ever. `schemas` holds what `schema` refers to. Throws `SyntaxError` on text that is no JSON.
 */
export function parseJson(text: string, schema: ExactSchema | null = null, schemas: ExactSchemas = {}): unknown {
  const plain: unknown = JSON.parse(text);
  if (schema === null) return plain;
  // Every number becomes its own index, which no engine rounds: `context.source` of a reviver is too new to rely on.
  const literals: string[] = [];
  const indexed: unknown = JSON.parse(mapNumbers(text, (literal) => `${literals.push(literal) - 1}`));
  const restore = (value: unknown, about: ReadonlySet<ExactSchema>): unknown => {
    if (typeof value === 'number') {
      const literal = literals[value] ?? '';
      const isInt64 = [...about].some(({ format }) => format === 'int64');
      return (isInt64 ? exactInteger(literal) : null) ?? Number(literal);
    }
    if (typeof value !== 'object' || value === null) return value;
    for (const [key, part] of Object.entries(value)) {
      const inner = [...about].flatMap((one) =>
        Array.isArray(value) ? ofItem(one, Number(key)) : ofProperty(one, key),
      );
      Reflect.set(value, key, restore(part, together(inner, schemas)));
    }
    return value;
  };
  return restore(indexed, together([schema], schemas));
}

type ExactSchemas = Readonly<Record<string, ExactSchema>>;

/** `start` with all that holds for the same value. */
function together(start: readonly ExactSchema[], schemas: ExactSchemas): ReadonlySet<ExactSchema> {
  const all = new Set(start);
  // What is added on the way is visited too.
  for (const { $ref, allOf = [], anyOf = [], oneOf = [], dependentSchemas = {}, ...schema } of all) {
    const branches = [$ref === undefined ? undefined : schemas[$ref], schema.if, schema.then, schema.else];
    for (const one of [...branches, ...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas)])
      if (one !== undefined) all.add(one);
  }
  return all;
}

function ofItem({ prefixItems, items, unevaluatedItems }: ExactSchema, index: number): readonly ExactSchema[] {
  return [prefixItems?.[index] ?? items ?? unevaluatedItems ?? {}];
}

function ofProperty(schema: ExactSchema, name: string): readonly ExactSchema[] {
  const { properties = {}, patternProperties = {}, additionalProperties, unevaluatedProperties } = schema;
  const own = Object.entries(properties).filter(([key]) => key === name);
  const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(name));
  const named = [...own, ...matching].map(([, part]) => part);
  return named.length > 0 ? named : [additionalProperties ?? unevaluatedProperties ?? {}];
}

/** The integer that a JSON number literal stands for (`5.0` and `5e0` are 5); null where it is none. */
function exactInteger(literal: string): bigint | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return 0n;
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  // Past 20 digits it is no int64, and an exponent could ask for a bigint of any size.
  return zeros < 0 || significant.length + zeros > 20 ? null : BigInt(`${sign}${significant}${'0'.repeat(zeros)}`);
}

/** `JSON.rawJSON` where the engine has it (ECMAScript 2026; Node 21). */
const rawJson: ((text: string) => unknown) | undefined = Reflect.get(JSON, 'rawJSON');

/** JSON text of `value`, in which a bigint is its digits. */
export function printJson(value: unknown): string {
  const literals: string[] = [];
  const indexed = JSON.stringify(value, function (this: object, key: string, part: unknown): unknown {
    // From the holder: a `BigInt.prototype.toJSON`, as many add one, has made a string of `part`.
    const own: unknown = Reflect.get(this, key);
    if (typeof own === 'bigint') return rawJson === undefined ? literals.push(`${own}`) - 1 : rawJson(`${own}`);
    return rawJson === undefined && Number.isFinite(part) ? literals.push(`${part}`) - 1 : part;
  });
  return rawJson === undefined ? mapNumbers(indexed, (index) => literals[Number(index)] ?? index) : indexed;
}
