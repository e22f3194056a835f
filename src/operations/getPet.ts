import type { Handler } from '../contract/handler.ts';
import { Failure } from '../failure.ts';
import type { Store } from '../store/store.ts';

export default (async ({ params }, { store }) => {
  const pet = await store.pets.get(params.petId);
  if (pet === null) throw new Failure('not_found', `There is no animal with the identifier ${params.petId}.`);
  return { status: 200, body: pet };
}) satisfies Handler<'getPet', Store>;
