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

/**
 * One PostgreSQL for the whole run; every test file clones its databases from a migrated template. It is the embedded
 * one, or that of `TEST_DATABASE_URL` (a superuser's address), for other versions.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, release: async () => {} } : await startEmbedded();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('drop database if exists template');
  await admin.query('create database template');
  await admin.end();
  const template = new URL(server.url);
  template.pathname = '/template';
  await migrate(template.href);
  project.provide('templateUrl', template.href);
  return server.release;
}

async function startEmbedded(): Promise<{ url: string; release(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  // Nothing here has to outlive a power cut.
  const server = await openEmbedded({ dataDir, exclusive: false, settings: { fsync: 'off', full_page_writes: 'off' } });
  return {
    url: server.url,
    release: async () => {
      await server.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
