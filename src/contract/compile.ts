import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { exactInteger, int64 } from '../json.ts';
import type { Contract } from './contract.ts';
import type { JsonObject } from './document.ts';
import { mapTypedSchemas, textFormats, types } from './schema.ts';

/**
 * An Ajv (JSON Schema 2020-12, strict) that holds the document's schemas under the key `openapi`. An int64 is taken
 * exactly and becomes a bigint, a string must be one that PostgreSQL and UTF-8 hold unchanged, nothing is coerced.
 * `defaults: false` leaves out what is left out: for replies, which must hold what they promise by themselves.
 */
export function compileSchemas(
  contract: Contract,
  { defaults = true }: { defaults?: boolean } = {},
): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    useDefaults: defaults,
    allowUnionTypes: true,
    // The document says "required" and "properties" in different branches of a schema where that reads best.
    strictRequired: false,
    addUsedSchema: false,
  });
  addFormats.default(ajv, [...textFormats]);
  ajv.addFormat('int32', { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 });
  ajv.addVocabulary(['x-extensible-enum', 'externalDocs']);
  ajv.addKeyword({
    keyword: 'int64',
    modifying: true,
    schemaType: 'object',
    errors: true,
    compile: (bounds: { minimum?: number; maximum?: number; exclusiveMinimum?: number; exclusiveMaximum?: number }) => {
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
      const check = (data: unknown, context?: { parentData: object; parentDataProperty: string | number }): boolean => {
        // A second look, through another branch of allOf or anyOf, finds the bigint of the first one.
        const value =
          typeof data === 'bigint'
            ? data
            : typeof data === 'number' && context !== undefined
              ? exactInteger(context.parentData, String(context.parentDataProperty), data)
              : null;
        const low = minimum ?? (exclusiveMinimum === undefined ? int64.min : BigInt(exclusiveMinimum) + 1n);
        const high = maximum ?? (exclusiveMaximum === undefined ? int64.max : BigInt(exclusiveMaximum) - 1n);
        if (value === null || value < low || value > high) {
          Object.assign(check, {
            errors: [{ keyword: 'int64', message: `must be an integer from ${low} to ${high}`, params: {} }],
          });
          return false;
        }
        // At the root of what is validated nothing holds the value, whatever the type says.
        if (typeof data === 'number' && context !== undefined && Object(context.parentData) === context.parentData)
          Reflect.set(context.parentData, context.parentDataProperty, value);
        return true;
      };
      return check;
    },
  });
  ajv.addKeyword({
    keyword: 'storable',
    type: 'string',
    schemaType: 'boolean',
    error: { message: 'must not contain U+0000 or half of a surrogate pair' },
    validate: (_: boolean, text: string) => !text.includes('\0') && text.isWellFormed(),
  });

  // Ajv takes the whole document for a schema, of which it compiles what the pointers lead to; at its root stand only
  // annotations.
  ajv.addVocabulary(Object.keys(contract.document.root));
  ajv.addSchema(
    mapTypedSchemas(contract.document.root, withExactTypes) as Record<string, unknown>,
    'openapi',
    undefined,
    false,
  );
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };
}

/** `format: int64` as our keyword, which needs the exact value and so goes before `type`; and every string storable. */
function withExactTypes(schema: JsonObject): JsonObject {
  if (schema['format'] === 'int64') {
    const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
    const bounds = Object.entries({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }).filter(
      ([, bound]) => bound !== undefined,
    );
    const exact = { int64: Object.fromEntries(bounds) as JsonObject };
    const others = types(schema).filter((name) => name !== 'integer');
    return others.length === 0 ? { ...rest, ...exact } : { ...rest, anyOf: [exact, { type: others }] };
  }
  return types(schema).includes('string') && schema['enum'] === undefined ? { ...schema, storable: true } : schema;
}
