import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../service.ts';
import { expected, program } from './installed.ts';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
if (chromium === undefined)
  process.stderr.write('test/client/browser.test.ts is skipped: there is no chromium in /usr/bin\n');

/** The page, at an origin that is not the service's: what it imports, and where it tells the outcome. */
const page = (url: string, key: string) => `<!doctype html>
<script type="importmap">
  { "imports": {
    "animal-store/client": "/generated/client/client.js",
    "openapi-fetch": "/node_modules/openapi-fetch/dist/index.mjs"
  } }
</script>
<script type="module">
  const url = ${JSON.stringify(url)}, key = ${JSON.stringify(key)};
  const tell = (outcome) => fetch('/told', { method: 'POST', body: JSON.stringify(outcome) });
  addEventListener('error', ({ message }) => tell({ message }));
  addEventListener('unhandledrejection', ({ reason }) => tell({ message: String(reason) }));
</script>
<script type="module">
  const url = ${JSON.stringify(url)}, key = ${JSON.stringify(key)};
  ${program}
  await fetch('/told', { method: 'POST', body: JSON.stringify(result) });
</script>`;

test.skipIf(chromium === undefined)(
  'the client runs in a browser, from another origin',
  async () => {
    const root = new URL('../../', import.meta.url);
    const service = await startService();
    const { key } = await service.newKey();
    const profile = mkdtempSync(join(tmpdir(), 'animal-store-browser-'));
    let tell = (_outcome: string): void => {};
    const told = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const server = createServer(async (request, response) => {
      const path = request.url ?? '/';
      if (path === '/told') {
        tell((await request.toArray()).join(''));
        response.end();
      } else if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page(service.url, key));
      else if (/^\/(generated|node_modules\/openapi-fetch)\/[\w/.-]+\.m?js$/.test(path) && !path.includes('..'))
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(new URL(`.${path}`, root)));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo;
    let browser: ChildProcess | undefined;
    try {
      browser = spawn(
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
          '--disable-dev-shm-usage',
          `--user-data-dir=${profile}`,
          `http://127.0.0.1:${port}/`,
        ],
        { stdio: 'ignore' },
      );
      browser.once('exit', (code) => tell(JSON.stringify({ message: `chromium ended with ${code}` })));
      expect(JSON.parse(await told)).toEqual(expected);
    } finally {
      if (browser !== undefined && browser.exitCode === null) {
        const ended = new Promise((resolve) => browser?.once('exit', resolve));
        browser.kill();
        await ended;
      }
      server.close().closeAllConnections();
      await service.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  },
  60_000,
);
