import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Contract } from './contract.ts';
import { at, ContractError, entries, isObject, items, type Json, member, resolve } from './document.ts';
import { inner } from './schema.ts';

/**
 * Compiles every schema of the contract's requests and replies, and holds the defaults and examples that the document
 * gives against them. Throws `ContractError` that names each place where a schema says nothing that can be checked, or
 * where a value breaks it.
 */
export function checkExamples(contract: Contract, compile: (pointer: string) => ValidateFunction): void {
  const { root } = contract.document;
  const problems: string[] = [];
  const seen = new Set<string>();

  /** The validator for `pointer`, or null after it was said why there can be none. */
  const attempt = (pointer: string, place: string): ValidateFunction | null => {
    try {
      return compile(pointer);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const reason = error.message
        .replace(/^strict mode: /, '')
        .replace(/ at "openapi(#[^"]*)" \(strictTypes\)$/, ' at $1; write it there');
      problems.push(`${place}: ${reason}`);
      return null;
    }
  };
  const hold = (value: Json | undefined, pointer: string, place: string): void => {
    const validate = value === undefined ? null : attempt(pointer, place);
    // An int64 is exchanged in what holds it, and the document is frozen.
    const holder = { value: structuredClone(value) };
    const context = {
      instancePath: '',
      parentData: holder,
      parentDataProperty: 'value',
      rootData: holder,
      dynamicAnchors: {},
    };
    if (validate !== null && !validate(holder.value, context))
      problems.push(`${place} breaks its own schema: ${explain(validate.errors ?? [])}`);
  };
  /** Defaults and examples inside the schema at `pointer`. */
  const descend = (pointer: string, place: string): void => {
    const schema = at(root, pointer);
    if (!isObject(schema) || seen.has(pointer)) return;
    seen.add(pointer);
    hold(member(schema, 'default'), pointer, `${place} default`);
    for (const [index, example] of items(member(schema, 'examples')).entries())
      hold(example, pointer, `${place} examples[${index}]`);
    const ref = member(schema, '$ref');
    if (typeof ref === 'string') descend(ref, place);
    for (const keyword of inner.one) descend(`${pointer}/${keyword}`, `${place} ${keyword}`);
    for (const keyword of inner.list)
      for (const index of items(member(schema, keyword)).keys())
        descend(`${pointer}/${keyword}/${index}`, `${place} ${keyword}[${index}]`);
    for (const keyword of inner.map)
      for (const [name] of entries(member(schema, keyword)))
        descend(`${pointer}/${keyword}/${token(name)}`, `${place}/${name}`);
  };

  for (const [pointer, place] of places(contract)) {
    if (attempt(pointer, place) === null) continue;
    descend(pointer, place);
    // Beside the schema stand its examples: of a parameter, a header, a body.
    const holder = at(root, pointer.slice(0, pointer.lastIndexOf('/')));
    hold(member(holder, 'example'), pointer, `${place} example`);
    for (const [name, example] of entries(member(holder, 'examples')))
      hold(member(resolve(root, example), 'value'), pointer, `${place} example ${name}`);
  }
  if (problems.length > 0) throw new ContractError([...new Set(problems)]);
}

/** Where each schema stands, and the first place that people know it by. */
function places({ operations }: Contract): Map<string, string> {
  const found = new Map<string, string>();
  const add = (pointer: string | null, place: string) =>
    void (pointer !== null && !found.has(pointer) && found.set(pointer, place));
  for (const { id, parameters, body, responses } of operations.values()) {
    for (const { name, schema } of parameters) add(schema, `${id}: parameter ${name}`);
    add(body, `${id}: requestBody`);
    for (const [status, { schema, headers }] of responses) {
      add(schema, `${id}: response ${status}`);
      for (const [name, header] of headers) add(header.schema, `${id}: response ${status} header ${name}`);
    }
  }
  return found;
}

function explain(errors: readonly ErrorObject[]): string {
  return errors.map(({ instancePath, message }) => `${instancePath} ${message ?? 'is not valid'}`.trim()).join('; ');
}

/** A name as a part of a JSON pointer in URI fragment form. */
function token(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
