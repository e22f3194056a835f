// Printed from openapi.yaml (eb8eb1c8b29a79c0) by npm run generate. Not for editing.

import type { Handlers } from '../src/contract/handler.ts';
import listPets from '../src/operations/listPets.ts';
import createPet from '../src/operations/createPet.ts';
import getPet from '../src/operations/getPet.ts';
import type { Store } from '../src/store/store.ts';

/** By operationId, in the order of the document. */
export const handlers: Handlers<Store> = {
  listPets,
  createPet,
  getPet,
};
