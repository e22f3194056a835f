import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../src/store/embedded.ts';
import { migrate } from '../src/store/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The test server's address with the template database, which is migrated and empty. */
    templateUrl: string;
  }
}

/** One PostgreSQL for the whole run; every test file clones its databases from a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  // Nothing here has to outlive a power cut.
  const server = await openEmbedded({ dataDir, exclusive: false, settings: { fsync: 'off', full_page_writes: 'off' } });
  const template = new URL(server.url);
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('create database template');
  await admin.end();
  template.pathname = '/template';
  await migrate(template.href);
  project.provide('templateUrl', template.href);
  return async () => {
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
