import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A folder in which this package is installed as `npm pack` has it, with what its client depends on and nothing else.
 */
export function installPackage(): { readonly folder: string; remove(): void } {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-consumer-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'animal-store'), { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  execFileSync('tar', [
    '-xzf',
    join(folder, packed.trim()),
    '-C',
    join(modules, 'animal-store'),
    '--strip-components=1',
  ]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true, dereference: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a consumer does with the package: the same in node and in a browser. Needs `url` and `key`, gives `result`. */
export const program = `
import { createClient, unwrap, ApiError } from 'animal-store/client';

const told = [];
const client = createClient({ baseUrl: url, key, onDeprecation: ({ operation, sunset }) => told.push(operation + ' ' + sunset.toISOString()) });
const edges = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 7n];
const back = [];
for (const categoryId of edges) {
  const { id } = unwrap(await client.createPet({ body: { name: 'Rex', categoryId } }));
  const reply = await client.getPet({ petId: id });
  if (reply.status === 200) back.push(reply.body.categoryId);
}
const walked = [];
for await (const pet of client.each.listPets({ limit: 1 })) walked.push(pet.categoryId);
const refused = await createClient({ baseUrl: url, key: 'nobody' }).listPets().then(unwrap).catch((error) => error);
const controller = new AbortController();
setTimeout(() => controller.abort(new Error('enough')), 20);
const waiting = createClient({ baseUrl: url, key, fetch: async () => new Response('{}', { status: 429, headers: { 'retry-after': '30' } }) });
const cancelled = await waiting.listPets({}, { signal: controller.signal }).catch((error) => error.message);
const { data } = await client.http.GET('/pets', { params: { query: { limit: 1 } } });

const result = {
  back: back.map(String),
  walked: walked.map(String),
  told,
  refused: refused instanceof ApiError && refused.code,
  cancelled,
  raw: typeof data[0].id,
  same: (await client.checkContract()).same,
};
`;

/** What `result` is then. */
export const expected = {
  back: ['-9223372036854775808', '9223372036854775807', '9007199254740993', '7'],
  walked: ['-9223372036854775808', '9223372036854775807', '9007199254740993', '7'],
  told: ['getPet 2030-12-05T00:00:00.000Z'],
  refused: 'invalid_api_key',
  cancelled: 'enough',
  raw: 'bigint',
  same: true,
};
