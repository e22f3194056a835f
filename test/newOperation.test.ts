import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readContract } from '../src/contract/contract.ts';
import { readDocument } from '../src/contract/document.ts';
import { parseJson } from '../src/json.ts';
import { type Env, type Serving, serve } from './cli/program.ts';
import { cloneDatabase, type Database } from './database.ts';
import { withDeletePet } from './deletePet.ts';
import { copyProject } from './project.ts';
import { replyChecker } from './replies.ts';
import { type Asked, send } from './service.ts';

// "A new operation in two hand edits", by hand, in a copy of the project.

const project = copyProject();
const generate = (...args: string[]) => project.run('src/contract/generate.ts', args);
const handler = 'src/operations/deletePet.ts';

/** What a person writes. */
const written = `import type { Handler } from '../contract/handler.ts';
import { Failure } from '../failure.ts';
import type { Store } from '../store/store.ts';

export default (async ({ params }, { store }) => {
  const removed = await store.pets.remove(params.petId);
  if (!removed) throw new Failure('not_found', \`There is no animal with the identifier \${params.petId}.\`);
  return { status: 204 };
}) satisfies Handler<'deletePet', Store>;
`;

/** New data adds one store function. */
function addStoreFunction(): void {
  project.edit(
    'src/store/pets.ts',
    '  /** How many requests wait',
    `  /** Removes an animal; false where there is none. */
  async remove(id: bigint): Promise<boolean> {
    return (await this.#connections[0].run(deletePet, [\`\${id}\`])).length > 0;
  }

  /** How many requests wait`,
  );
  project.edit(
    'src/store/pets.ts',
    'const insertPets',
    "const deletePet: Statement = { name: 'pets_delete', text: 'delete from pets where id = $1 returning id' };\n\nconst insertPets",
  );
}

describe('while it is promised and not written', () => {
  test('x-not-implemented: generated/ has no handler, and needs none', async () => {
    const yaml = project.read('openapi.yaml');
    project.write('openapi.yaml', withDeletePet(yaml, { implemented: false }));
    expect(await generate()).toMatchObject({ code: 0 });
    expect(project.read('generated/handlers.ts')).toContain('  deletePet: null,\n');
    expect(project.read('generated/handlers.ts')).not.toContain('deletePet.ts');
    project.write('openapi.yaml', yaml);
  });

  test('without that, generate names the handler that is missing', async () => {
    project.write('openapi.yaml', withDeletePet(project.read('openapi.yaml')));
    const { code, stderr } = await generate();
    expect(code).toBe(1);
    expect(stderr).toContain(
      'deletePet has no handler: write src/operations/deletePet.ts, or let npm run generate -- --scaffold begin it\n',
    );
    expect(existsSync(join(project.folder, handler))).toBe(false);
  });

  test('--scaffold begins the handler and its test, and overwrites nothing', async () => {
    const { code, stderr } = await generate('--scaffold');
    expect(code).toBe(0);
    expect(stderr).toContain(`wrote ${handler}, `);
    expect(stderr).toContain('wrote test/operations/deletePet.test.ts, ');
    expect(project.read(handler)).toContain(
      "throw new Failure('not_implemented', 'deletePet is promised, but not implemented yet.');",
    );
    expect(project.read('test/operations/deletePet.test.ts')).toContain("service.ask('DELETE', '/v1/pets/1', { key })");
    // Kept beside src, from where its imports lead to the same files.
    mkdirSync(join(project.folder, 'src/begun'));
    project.write('src/begun/deletePet.ts', project.read(handler));
    project.write(handler, written);
    expect(await generate('--scaffold')).toMatchObject({ code: 0, stderr: '' });
    expect(project.read(handler)).toBe(written);
  });
});

describe('once it is written', () => {
  let database: Database;
  let service: Serving;
  let env: Env;
  let key: string;
  const newKey = async (perMinute: number) => {
    const made = await project.run(
      'src/cli/animal-store.ts',
      ['keys', 'create', '--plan', 'enterprise', '--per-minute', `${perMinute}`, '--per-day', '100000'],
      env,
    );
    return made.stdout.trim();
  };
  const ask = async (method: string, path: string, asked: Asked = {}) => {
    const reply = await send(service.port, method, path, asked);
    checker.check(method, path, reply);
    return reply;
  };
  let checker: ReturnType<typeof replyChecker>;

  beforeAll(async () => {
    addStoreFunction();
    checker = replyChecker(readContract(readDocument(join(project.folder, 'openapi.yaml'))));
    database = await cloneDatabase();
    env = { DATABASE_URL: database.url };
    [service, key] = await Promise.all([serve(env, { cwd: project.folder }), newKey(100_000)]);
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await database.drop();
  });

  test('all of it compiles: handler, store, test, client; and so does the handler that was begun', async () => {
    const uses = `import { createClient } from '../generated/client/client.js';
const reply = await createClient({ baseUrl: 'http://localhost', key: 'key' }).deletePet({ petId: 1n });
export const nothing: undefined = reply.status === 204 ? reply.body : undefined;
// @ts-expect-error an identifier is a bigint
await createClient({ baseUrl: 'http://localhost', key: 'key' }).deletePet({ petId: 1 });
`;
    project.write('test/uses.ts', uses);
    const files = [
      'generated/handlers.ts',
      'test/postgres.ts',
      'test/operations/deletePet.test.ts',
      'test/uses.ts',
      'src/begun/deletePet.ts',
    ];
    project.write('tsconfig.new.json', JSON.stringify({ extends: './tsconfig.json', include: [], files }));
    expect(await project.run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.new.json'])).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test('204, then 404, every reply as documented', async () => {
    const created = await ask('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 5 } });
    const path = created.headers.get('location') ?? '';
    expect(await ask('DELETE', path, { key })).toMatchObject({ status: 204, text: '' });
    expect((await ask('GET', path, { key })).status).toBe(404);
    expect(await ask('DELETE', path, { key })).toMatchObject({
      status: 404,
      text: expect.stringContaining('"not_found"'),
    });
    expect((await ask('DELETE', '/v1/pets/9223372036854775807', { key })).status).toBe(404);
  });

  test('key, limits, validation and methods follow', async () => {
    expect((await ask('DELETE', '/v1/pets/1')).status).toBe(401);
    expect((await ask('DELETE', '/v1/pets/x', { key: 'wrong' })).headers.get('www-authenticate')).toContain(
      'invalid_token',
    );
    expect(await ask('DELETE', '/v1/pets/05', { key })).toMatchObject({
      status: 400,
      text: expect.stringContaining('path/petId'),
    });
    const refused = await ask('PUT', '/v1/pets/1', { key });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('GET, DELETE, HEAD, OPTIONS');
    const poor = await newKey(1);
    expect((await ask('DELETE', '/v1/pets/1', { key: poor })).headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await ask('DELETE', '/v1/pets/1', { key: poor })).status).toBe(429);
  });

  test('the documentation, the metrics and the client follow', async () => {
    const published = await ask('GET', '/openapi.json');
    expect(parseJson(published.text)).toMatchObject({
      paths: { '/pets/{petId}': { delete: { operationId: 'deletePet' } } },
    });
    expect((await ask('GET', '/docs/json')).text).toContain('"deletePet"');
    expect((await ask('GET', '/metrics')).text).toContain('deletePet');
    // The copy's client, which knows one operation more than the type of ours.
    const { createClient } = (await import(
      /* @vite-ignore */ pathToFileURL(join(project.folder, 'generated/client/client.js')).href
    )) as {
      createClient(options: object): { deletePet(input: object): Promise<object>; checkContract(): Promise<object> };
    };
    const client = createClient({ baseUrl: service.url, key, retry: false });
    expect(await client.deletePet({ petId: 42n })).toMatchObject({
      status: 404,
      ok: false,
      body: { code: 'not_found' },
    });
    expect(await client.checkContract()).toMatchObject({ same: true });
  });

  test('the contract tests follow: made from the document, they ask it, and all pass', async () => {
    const { code, stdout } = await project.run('src/cli/animal-store.ts', [
      'contract',
      'test',
      '--url',
      service.url,
      '--key',
      key,
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      failed: 0,
      notSent: 0,
      operations: expect.arrayContaining([
        expect.objectContaining({ name: 'deletePet', address: 'DELETE /pets/{petId}' }),
      ]),
    });
    expect(code).toBe(0);
  });

  test('and generated/ is fresh', async () => {
    expect(await generate('--check')).toMatchObject({ code: 0, stderr: '' });
  });
});
