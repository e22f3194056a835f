import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';

/** A value of openapi.yaml as it was read: JSON, not yet trusted to have any shape. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** openapi.yaml, read once and frozen. This file alone knows that it is YAML. */
export interface Document {
  /** The file, letter for letter: what `GET /openapi.yaml` answers. */
  readonly yaml: string;
  readonly root: JsonObject;
  /** SHA-256 of the file, the first 16 hexadecimal digits: names the exact document a server was built from. */
  readonly hash: string;
}

/** Thrown when the document cannot be kept as it stands. `problems` has one line for each place, with the remedy. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`openapi.yaml cannot be served as it stands:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads the document at `path`. Throws `ContractError` when it is no YAML mapping, naming the line. */
export function readDocument(path: string | URL): Document {
  return parseText(readFileSync(path, 'utf8'));
}

export function parseText(yaml: string): Document {
  // uniqueKeys: two entries of one name are an error, not "the last wins".
  const parsed = parseDocument(yaml, { uniqueKeys: true });
  if (parsed.errors.length > 0) throw new ContractError(parsed.errors.map((error) => error.message));
  const root: Json = parsed.toJS();
  if (!isObject(root)) throw new ContractError(['the document is not a mapping']);
  return {
    yaml,
    root: deepFreeze(root),
    hash: createHash('sha256').update(yaml).digest('hex').slice(0, 16),
  };
}

/** Any YAML or JSON text as plain data, not yet trusted to be a contract. Throws `SyntaxError` that names `file` and line. */
export function parseData(text: string, file: string): Json {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text); // JSON is YAML, and large documents are read a hundred times sooner as what they are.
    } catch {
      // A flow mapping, or broken: the YAML reader knows the line.
    }
  }
  const parsed = parseDocument(text, { uniqueKeys: true });
  const [error] = parsed.errors;
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message.trim()}`);
  return parsed.toJS({ maxAliasCount: -1 });
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member `key` of `value`, or undefined when there is none. Never reaches a prototype. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function entries(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function items(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Follows `$ref`s (within the document) until there is none. Undefined when one leads nowhere or round in a circle. */
export function resolve(root: JsonObject, value: Json | undefined): Json | undefined {
  const seen = new Set<string>();
  let current = value;
  for (;;) {
    const ref = member(current, '$ref');
    if (typeof ref !== 'string') return current;
    if (seen.has(ref) || !ref.startsWith('#/')) return undefined;
    seen.add(ref);
    current = at(root, ref);
  }
}

/** The value at a JSON pointer in URI fragment form, `#/components/…` (RFC 6901, section 6). */
export function at(root: JsonObject, pointer: string): Json | undefined {
  let current: Json | undefined = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
    current = Array.isArray(current) ? current[Number(key)] : member(current, key);
  }
  return current;
}

/** `parts` as a JSON pointer in URI fragment form. */
export function pointer(...parts: string[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

function deepFreeze<T extends Json>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values<Json>(value)) deepFreeze(inner);
  }
  return value;
}
