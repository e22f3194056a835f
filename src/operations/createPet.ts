import type { Handler } from '../contract/handler.ts';
import type { Store } from '../store/store.ts';

export default (async ({ body }, { store, address }) => {
  const { id, pet } = await store.pets.create(body);
  return { status: 201, body: pet, headers: { Location: address('getPet', { params: { petId: id } }) ?? undefined } };
}) satisfies Handler<'createPet', Store>;
