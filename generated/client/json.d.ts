// Printed from src/client by npm run generate. Not for editing.

import type { ExactSchema } from '../contract.js';
/**
 * Parses JSON text. A number that stands where `schema` has an int64 becomes a bigint, exact from its literal; all
 * others are numbers as ever. `schemas` holds what `schema` refers to. Throws `SyntaxError` on text that is no JSON.
 */
export declare function parseJson(text: string, schema?: ExactSchema | null, schemas?: ExactSchemas): unknown;
type ExactSchemas = Readonly<Record<string, ExactSchema>>;
/** JSON text of `value`, in which a bigint is its digits. */
export declare function printJson(value: unknown): string;
export {};
