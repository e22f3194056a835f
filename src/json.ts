import { parse as parseGuarded } from 'secure-json-parse';

/** JSON text of a `T`, ready to be sent as it is. */
export type JsonText<T> = string & { readonly json: T };

/** The smallest and the largest int64. */
export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/**
 * The literals of `JSON.parse`d numbers that a double may not hold exactly, by the object or array they stand in.
 * Weak: they go when the parsed value goes.
 */
const literals = new WeakMap<object, Map<string, string>>();

/** A literal of up to 15 digits and nothing else is exact as a double; all others are remembered. */
const maybeInexact = /[0-9][0-9.eE+-]{15}|[0-9][.eE]/;

/** Deeper than any contract describes; RFC 8259, section 9, lets a parser set a limit. */
const deepest = 64;

/**
 * Parses JSON text. Throws `SyntaxError` on text that is no JSON, holds a `__proto__` key, or nests deeper than 64.
 * Numbers are doubles as ever; `exactInteger` has the exact value of those that a double rounds.
 */
export function parseJson(text: string): unknown {
  checkDepth(text);
  const remember = maybeInexact.test(text)
    ? function (this: object, key: string, value: unknown, context?: { source: string }): unknown {
        if (typeof value === 'number' && context !== undefined && maybeInexact.test(`${context.source}`)) {
          const of = literals.get(this) ?? new Map<string, string>();
          literals.set(this, of.set(key, context.source));
        }
        return value;
      }
    : undefined;
  // A `constructor` key is an ordinary unknown field: nothing here copies it onto another object.
  return parseGuarded(text, remember, { protoAction: 'error', constructorAction: 'ignore' });
}

/**
 * The integer that stands at `holder[key]` of a value from `parseJson`, exactly as it was written (`5.0` and `5e0` are
 * 5), or null where it is none or lies outside int64.
 */
export function exactInteger(holder: object, key: string, value: number): bigint | null {
  const literal = literals.get(holder)?.get(key);
  if (literal === undefined) return Number.isInteger(value) ? BigInt(value) : null;
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return 0n;
  // Zeros behind the last significant digit; below zero of them it is no integer, and 20 digits are past int64.
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  if (zeros < 0 || significant.length + zeros > 19) return null;
  const integer = BigInt(`${sign}${significant}${'0'.repeat(zeros)}`);
  return integer >= int64.min && integer <= int64.max ? integer : null;
}

declare global {
  interface JSON {
    /** A value that `JSON.stringify` prints as `text` (ECMAScript 2026; not in TypeScript's library yet). */
    rawJSON(text: string): unknown;
  }
}

/** JSON text of `value`, in which a bigint is its digits. */
export function printJson<T>(value: T): JsonText<T> {
  // JSON.rawJSON prints digits that a number could not hold; the brand is what this function is for.
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? JSON.rawJSON(`${part}`) : part,
  ) as JsonText<T>;
}

function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === 0x5c) i++;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > deepest) throw new SyntaxError(`it nests deeper than ${deepest} levels`);
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
}
