import { type Contract, readContract } from '../../src/contract/contract.ts';
import { ContractError, type Json, type JsonObject, readDocument } from '../../src/contract/document.ts';

/** A place in the document, and what a test puts there; undefined takes it away. */
export type Edit = readonly [place: readonly (string | number)[], value: Json | undefined];

export const document = readDocument(new URL('../../openapi.yaml', import.meta.url));

/** The contract of openapi.yaml after `edits`. */
export function readEdited(...edits: readonly Edit[]): Contract {
  const root = structuredClone(document.root);
  for (const [place, value] of edits) {
    let holder: object = root;
    for (const key of place.slice(0, -1)) {
      if (Reflect.get(holder, key) === undefined) Reflect.set(holder, key, {});
      holder = Object(Reflect.get(holder, key));
    }
    const last = place.at(-1) ?? '';
    if (value === undefined) Reflect.deleteProperty(holder, last);
    else Reflect.set(holder, last, value);
  }
  return readContract({ ...document, root: root as JsonObject });
}

/** What readContract says against the edited document; nothing where it can be kept. */
export function problems(...edits: readonly Edit[]): readonly string[] {
  try {
    readEdited(...edits);
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}

export const list = ['paths', '/pets', 'get'];
export const create = ['paths', '/pets', 'post'];
export const one = ['paths', '/pets/{petId}', 'get'];
