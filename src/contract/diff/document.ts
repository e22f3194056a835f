import type { JsonObject, JsonValue } from './json.ts';
import { isList, isObject, isText, toJson } from './json.ts';

/** The two dialects that read a schema differently: 3.0 has `nullable` and ignores what stands beside a `$ref`. */
export type Dialect = '3.0' | '3.1';

/** An OpenAPI document whose local references can be followed. */
export class ApiDocument {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  /** References that lead nowhere in this document, as they were met. */
  readonly unresolved = new Set<string>();

  constructor(value: unknown) {
    const root = toJson(value);
    const version = isObject(root) ? root.openapi : undefined;
    if (!isObject(root) || !isText(version) || !/^3\.\d+/.test(version)) {
      throw new TypeError('Not an OpenAPI 3 document: it must be an object with `openapi: 3.…`.');
    }
    this.root = root;
    this.dialect = version.startsWith('3.0') ? '3.0' : '3.1';
  }

  /** What a local reference (`#/components/…`) points at. */
  target(reference: string): JsonValue | undefined {
    const found = reference.startsWith('#') ? this.#at(reference.slice(1)) : undefined;
    if (found === undefined) this.unresolved.add(reference);
    return found;
  }

  /** The object at the end of a chain of references: a parameter, a response, a header, … */
  object(node: JsonValue | undefined): JsonObject {
    const seen = new Set<JsonValue>();
    let at = node;
    while (isObject(at) && isText(at.$ref) && !seen.has(at)) {
      seen.add(at);
      at = this.target(at.$ref);
    }
    return isObject(at) && !isText(at.$ref) ? at : {};
  }

  #at(pointer: string): JsonValue | undefined {
    let at: JsonValue | undefined = this.root;
    for (const token of pointer.split('/').slice(1)) {
      const key = unescapeToken(token);
      at = isList(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined;
    }
    return at;
  }
}

/** RFC 6901 escapes inside a URI fragment. */
function unescapeToken(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The name by which people know what a reference points at: its last segment. */
export const referenceName = (reference: string): string => unescapeToken(reference.split('/').at(-1) ?? reference);
