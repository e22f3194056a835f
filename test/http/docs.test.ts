import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Service, startService } from '../service.ts';

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);
if (chromium === undefined)
  process.stderr.write('The page /docs is not opened in a browser: there is no chromium on this machine.\n');

const file = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the published document', () => {
  test('/openapi.yaml is the file, byte for byte', async () => {
    const reply = await service.ask('GET', '/openapi.yaml');
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(file);
  });

  test('/openapi.json is the same document', async () => {
    const reply = await service.ask('GET', '/openapi.json');
    expect(reply.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(reply.json).toEqual(parse(file));
  });

  test.each(['/openapi.yaml', '/openapi.json'])('%s carries its hash, and is not sent twice', async (path) => {
    const etag = `"${service.contract.document.hash}"`;
    expect((await service.ask('GET', path)).headers.get('etag')).toBe(etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await service.ask('GET', path, { headers: { 'if-none-match': known } });
      expect(reply.status).toBe(304);
      expect(reply.text).toBe('');
      expect(reply.headers.get('etag')).toBe(etag);
    }
    expect((await service.ask('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});

describe('/docs', () => {
  test.each(['/docs', '/docs/'])('%s is a page under a strict policy', async (path) => {
    const reply = await service.ask('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/html\b/);
    const policy = reply.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;");
    expect(policy).not.toContain('unsafe');
    for (const [, address = ''] of reply.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(new URL(address, service.url + path).origin).toBe(service.url);
      expect((await service.ask('GET', new URL(address, service.url + path).pathname)).status).toBe(200);
    }
  });

  test('a query leads to the page without it', async () => {
    const reply = await service.ask('GET', '/docs?from=mail');
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/docs']);
  });

  test('its parts are not sent twice', async () => {
    const { headers } = await service.ask('GET', '/docs/static/swagger-ui.css');
    const again = await service.ask('GET', '/docs/static/swagger-ui.css', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test.each([
    '/docs/yaml',
    '/docs/none',
    '/docs/static/none.js',
    '/docs/static/../package.json',
    '/docs/static/%2e%2e%2fpackage.json',
  ])('404 for %s', async (path) => {
    expect((await service.ask('GET', path)).json).toMatchObject({ code: 'not_found' });
  });

  test.each(['/openapi.json', '/openapi.yaml', '/docs', '/docs/', '/docs/json', '/docs/static/swagger-ui.css'])(
    '405 for POST %s',
    async (path) => {
      const reply = await service.ask('POST', path);
      expect(reply.json).toMatchObject({ code: 'method_not_allowed' });
      expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect((await service.ask('HEAD', path)).status).toBe(200);
    },
  );

  test('shows the document with this server first, and tells plans, bans, errors and removals', async () => {
    const { json } = await service.ask('GET', '/docs/json');
    expect(json).toMatchObject({ servers: [{ url: '/v1' }, ...parse(file).servers] });
    const told = Reflect.get(Object(Reflect.get(Object(json), 'info')), 'description');
    expect(told).toContain(service.contract.document.hash);
    const { plans, anonymous } = service.contract.limits;
    for (const [name, quota] of plans)
      expect(told).toContain(
        quota === 'custom'
          ? `| ${name} | by agreement | by agreement |`
          : `| ${name} | ${quota.perMinute.toLocaleString('en')} | ${quota.perDay.toLocaleString('en')} |`,
      );
    expect(told).toContain(`${anonymous.perMinute} requests per minute`);
    expect(told).toContain('5 minutes, then 15 minutes, then 1 hour, then 1 day, and 1 day each time after that');
    for (const code of service.contract.errorCodes) expect(told).toContain(`\`${code}\``);
    expect(told).toContain(
      '| `GET /pets/{petId}` (getPet) | 20 November 2026 | 5 December 2030 | `GET /pets` (listPets) |',
    );
  });

  test('lays out a response digit for digit', async () => {
    const layOut = layOutOf((await service.ask('GET', '/docs/static/swagger-initializer.js')).text);
    expect(layOut('[{"id":9223372036854775807,"name":"a \\"b\\" {},:[]"},\n{ }, -9007199254740993]')).toBe(
      [
        '[',
        '  {',
        '    "id": 9223372036854775807,',
        '    "name": "a \\"b\\" {},:[]"',
        '  },',
        '  {},',
        '  -9007199254740993',
        ']',
      ].join('\n'),
    );
  });

  test.skipIf(chromium === undefined)('a browser shows it, without any other host', async () => {
    const dom = await open(`${service.url}/docs#/animals/getPet`);
    for (const text of [
      'Animal Store',
      '5 December 2030',
      'by agreement',
      'api_key_banned',
      'X-RateLimit-Remaining',
      service.contract.document.hash,
    ])
      expect(dom).toContain(text);
    expect(dom).toContain('id="operations-animals-createPet"');
    expect(dom).not.toContain('errors-wrapper');
  });
});

/** The page after its scripts have run, in a browser for which no other host exists. */
async function open(address: string): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'animal-store-browser-'));
  try {
    const { stdout } = await promisify(execFile)(
      chromium ?? '',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        `--user-data-dir=${profile}`,
        '--virtual-time-budget=10000',
        '--dump-dom',
        address,
      ],
      { maxBuffer: 20_000_000 },
    );
    return stdout;
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs the page's script as a browser does, and returns how its plugin shows a JSON response. */
function layOutOf(script: string): (json: string) => unknown {
  let plugin: unknown;
  const window: Record<string, unknown> = { location: { href: service.url } };
  const SwaggerUIBundle = Object.assign(
    (config: { plugins: (() => unknown)[] }) => {
      plugin = config.plugins[0]?.();
      return { initOAuth: () => {} };
    },
    { presets: {}, plugins: {} },
  );
  const document = { createElement: () => ({}) };
  runInContext(script, createContext({ window, document, SwaggerUIBundle, SwaggerUIStandalonePreset: {} }));
  (window['onload'] as () => void)();
  const { wrapComponents } = plugin as {
    wrapComponents: { responseBody: (original: unknown, system: object) => (props: object) => unknown };
  };
  const show = wrapComponents.responseBody(null, {
    React: { createElement: (_type: unknown, _props: unknown, text: unknown) => text },
    getComponent: () => null,
  });
  return (content) => show({ content, contentType: 'application/json; charset=utf-8' });
}
