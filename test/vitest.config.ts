import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/postgres.ts',
    // Real servers, real PostgreSQL: a busy machine may take its time, and none of these bounds is a measurement.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Most of a file's time it waits for processes, for PostgreSQL, or for a time-out.
    maxWorkers: 2,
  },
});
