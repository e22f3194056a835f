import type { Handler } from '../contract/handler.ts';
import { openCursor, writeCursor } from '../cursor.ts';
import { Failure } from '../failure.ts';
import type { Store } from '../store/store.ts';

export default (async ({ query }, { store, address }) => {
  const after = query.cursor === undefined ? beforeAll : openCursor(query.cursor);
  if (after === null) throw new Failure('invalid_request', 'query/cursor was not handed out by this service');
  const { pets, next } = await store.pets.list({ limit: query.limit, status: query.status ?? null, after });
  const nextPage = next === null ? null : address('listPets', { query: { ...query, cursor: writeCursor(next) } });
  return { status: 200, body: pets, headers: { Link: nextPage === null ? undefined : `<${nextPage}>; rel="next"` } };
}) satisfies Handler<'listPets', Store>;

const beforeAll = -(2n ** 63n);
