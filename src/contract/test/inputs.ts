import { parseJson, printJson } from '../../json.ts';
import { compileSchemas } from '../compile.ts';
import type { Contract } from '../contract.ts';
import { at, entries, type Json, member, resolve } from '../document.ts';
import type { Parameter } from '../operations.ts';
import { type Candidate, candidates, sample } from './values.ts';

/** The candidates of a schema on which `candidates` and the compiled schema agree. */
export function agreedCandidates(contract: Contract, pointer: string): { agreed: Candidate[]; disputed: Candidate[] } {
  const validate = compileSchemas(contract)(pointer);
  const { root } = contract.document;
  const judged = candidates(root, at(root, pointer)).map((candidate) => {
    // As it is read from the wire: an int64 inside an object exactly, as it is held by that; one by itself is a bigint.
    const value = typeof candidate.value === 'bigint' ? candidate.value : parseJson(printJson(candidate.value));
    return { candidate, agrees: validate(value) === candidate.valid };
  });
  const those = (agrees: boolean) => judged.filter((one) => one.agrees === agrees).map(({ candidate }) => candidate);
  return { agreed: those(true), disputed: those(false) };
}

/** Texts for a parameter, and whether it takes them. */
export interface Texts {
  readonly name: string;
  /** What the document says. */
  readonly rule: string;
  readonly valid: boolean;
  /** More than one where it is given more than once. */
  readonly texts: readonly string[];
}

/**
 * A parameter's texts at the edges of its schema, and texts that only look like a value. `safe` is false where the
 * operation changes or removes something.
 */
export function textsOf(contract: Contract, parameter: Parameter, safe: boolean): readonly Texts[] {
  const { root } = contract.document;
  const { agreed } = agreedCandidates(contract, parameter.schema);
  const inPath = parameter.in === 'path';
  const primitive = agreed
    .filter(({ value }) =>
      parameter.type === 'string' ? typeof value === 'string' : ['number', 'bigint', 'boolean'].includes(typeof value),
    )
    .filter(({ value }) => (parameter.type === 'boolean') === (typeof value === 'boolean'))
    .map(({ what, rule, valid, value }) => ({ name: what, rule, valid, texts: [String(value)] }))
    // An address cannot carry half of a surrogate pair, nor a segment be empty.
    .filter(({ texts: [text = ''] }) => text.isWellFormed() && !(inPath && (text === '' || /^\.\.?$/.test(text))));
  const example = member(parameterAt(contract, parameter), 'example');
  const examples =
    example === undefined
      ? []
      : [{ name: `being the example ${String(example)}`, rule: 'example', valid: true, texts: [String(example)] }];
  const usual = String(sample(root, at(root, parameter.schema)));
  const traps =
    parameter.type === 'integer'
      ? ['x', '5.0', '05', '+5', '1e1', '0x5', ' 5', '5 ', '-0', '٥', ...(inPath ? [] : [''])]
      : parameter.type === 'boolean'
        ? ['1', 'TRUE', 'yes', ...(inPath ? [] : [''])]
        : [];
  const list = [
    ...examples,
    ...primitive,
    ...traps.map((text) => ({
      name: `written ${JSON.stringify(text)}`,
      rule: parameter.type === 'integer' ? 'numbers are plain decimals in their shortest form' : 'type: boolean',
      valid: false,
      texts: [text],
    })),
    ...(inPath
      ? []
      : [{ name: 'given twice', rule: 'a parameter is given once', valid: false, texts: [usual, usual] }]),
  ];
  // Who changes or removes must not meet what others made: an id at the edge of its range, or a long one, is nobody's.
  if (!inPath || safe) return list;
  const far = (text: string) => text.length >= 15 || Math.abs(Number(text)) >= 2 ** 31 - 1;
  return list
    .filter(({ valid, texts: [text = ''] }) => !valid || far(text))
    .sort((a, b) => Number(b.valid) - Number(a.valid));
}

function parameterAt({ document: { root } }: Contract, { schema }: Parameter): Json | undefined {
  return resolve(root, at(root, schema.slice(0, schema.lastIndexOf('/'))));
}

/** Whether fitting the schema is not all that is asked of a text: it has to come from the server. */
export function opaque(contract: Contract, parameter: Parameter): boolean {
  const declared = parameterAt(contract, parameter);
  const schema = resolve(contract.document.root, member(declared, 'schema'));
  const told = ['enum', 'const', 'pattern', 'format'].some((keyword) => member(schema, keyword) !== undefined);
  return parameter.type === 'string' && parameter.in === 'query' && !told && member(declared, 'example') === undefined;
}

/** The examples beside the schema at `pointer`. */
export function examplesAt({ document: { root } }: Contract, pointer: string): { name: string; value: Json }[] {
  const content = at(root, pointer.slice(0, pointer.lastIndexOf('/')));
  const single = member(content, 'example');
  const many = entries(member(content, 'examples')).map(([name, example]) => ({
    name,
    value: member(resolve(root, example), 'value'),
  }));
  return [...(single === undefined ? [] : [{ name: 'example', value: single }]), ...many].flatMap(({ name, value }) =>
    value === undefined ? [] : [{ name, value }],
  );
}
