import { pino } from 'pino';
import { expect, test } from 'vitest';
import { handlers } from '../../generated/handlers.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { ContractError } from '../../src/contract/document.ts';
import { buildServer } from '../../src/http/server.ts';
import { openStore } from '../../src/store/store.ts';
import { create, document, one, readEdited } from '../contract/edited.ts';

type Handlers = typeof handlers;

/** What boot says; it comes so far without a database. */
async function boot(contract: Contract, own: Handlers = handlers): Promise<readonly string[]> {
  const store = openStore('postgres://nobody@127.0.0.1:1/none', {
    plans: contract.limits.plans,
    banDurations: [1],
    cleanPeriod: 1,
  });
  const lines = { write: () => {} };
  try {
    const server = await buildServer({
      contract,
      handlers: own,
      store,
      log: { logger: pino({ level: 'silent' }), lines },
      trustProxy: [],
    });
    await server.ready();
    await server.close();
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  } finally {
    await store.close();
  }
}

const without = (id: keyof Handlers): Handlers => {
  const rest: Partial<Handlers> = { ...handlers, [id]: undefined };
  return rest as Handlers;
};

test('boots with the document and the handlers as they are', async () => {
  expect(await boot(readEdited())).toEqual([]);
});

test.each(['listPets', 'createPet', 'getPet'] as const)('refuses to boot without the handler of %s', async (id) => {
  expect(await boot(readEdited(), without(id))).toEqual([expect.stringContaining(`${id} has no handler`)]);
});

test('refuses to boot with an operation that nobody has written', async () => {
  const getAnimal = {
    ...Object(Object(document.root['paths'])['/pets/{petId}']).get,
    operationId: 'getAnimal',
    parameters: [],
  };
  const contract = readEdited([['paths', '/animal', 'get'], getAnimal]);
  expect(await boot(contract)).toEqual([expect.stringContaining('getAnimal has no handler')]);
});

test('refuses to boot with a handler that is none', async () => {
  expect(await boot(readEdited(), { ...handlers, getPet: {} as Handlers['getPet'] })).toEqual([
    expect.stringContaining('getPet has no handler'),
  ]);
});

test('refuses to boot with a handler that is inherited', async () => {
  const inherited = Object.create(handlers) as Handlers;
  expect(await boot(readEdited(), inherited)).toEqual([expect.stringContaining('has no handler')]);
});

test('refuses to boot with a file in src/operations that answers no operation', async () => {
  expect(await boot(readEdited([one.slice(0, 2), undefined]))).toEqual([
    expect.stringContaining('src/operations/getPet.ts answers no operation'),
  ]);
  expect(await boot(readEdited([[...create, 'operationId'], 'addPet']))).toEqual([
    expect.stringContaining('src/operations/createPet.ts answers no operation'),
  ]);
});

const enumeration = ['components', 'schemas', 'Error', 'properties', 'code', 'x-extensible-enum'];
const { errorCodes } = readEdited();

test.each<[string, string[], string]>([
  ['an error code that is never answered', [...errorCodes, 'teapot'], 'teapot is listed but never answered'],
  ['an error code missing', errorCodes.filter((code) => code !== 'not_found'), 'not_found is answered but not listed'],
])('refuses to boot with %s', async (_, codes, problem) => {
  expect(await boot(readEdited([enumeration, codes]))).toEqual([expect.stringContaining(problem)]);
});
