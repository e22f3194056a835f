import { type Config, readConfig } from '../config.ts';
import { type Contract, readContract } from '../contract/contract.ts';
import { readDocument } from '../contract/document.ts';
import { openEmbedded } from '../store/embedded.ts';
import { lacking, migrate } from '../store/migrate.ts';
import type { OperatorStore } from '../store/operator.ts';
import type { Plan } from '../store/projects.ts';

/** The command line was written wrongly: exit 2, and the message says how to write it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command could not be carried out, and the message says why: exit 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export function contract(): Contract {
  return readContract(readDocument(new URL('../../openapi.yaml', import.meta.url)));
}

/** Calls `command` with the address of `DATABASE_URL`, or of the embedded database, which is started where it does not run. */
export async function withDatabase<T>(command: (url: string, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== null) return command(config.databaseUrl, config);
  const embedded = await openEmbedded({ dataDir: config.dataDir, exclusive: false });
  try {
    return await command(embedded.url, config);
  } finally {
    await embedded.release();
  }
}

/** Calls `command` with the store, its schema up to date. */
export function withStore<T>(command: (store: OperatorStore) => Promise<T>): Promise<T> {
  return withDatabase(async (url, { migrateOnStart }) => {
    const missing = migrateOnStart ? [] : await lacking(url);
    if (missing.length > 0)
      throw new CommandFailed(`The database lacks ${missing.join(', ')}. Run: animal-store migrate`);
    if (migrateOnStart) await migrate(url);
    // Only here: `serve` has no use for the operator's store, whose Kysely is 300 files and 13 MB.
    const { openOperatorStore } = await import('../store/operator.ts');
    const store = openOperatorStore(url);
    try {
      return await command(store);
    } finally {
      await store.close();
    }
  });
}

/** `--plan` with its two flags as a plan. Throws `UsageError` where they do not go together. */
export function planFrom(options: { plan: string; perMinute?: number | undefined; perDay?: number | undefined }): Plan {
  const { plans } = contract().limits;
  const quota = plans.get(options.plan);
  if (quota === undefined)
    throw new UsageError(`--plan must be one of ${[...plans.keys()].join(', ')}, not ${JSON.stringify(options.plan)}.`);
  const { perMinute, perDay } = options;
  if (quota !== 'custom') {
    if (perMinute !== undefined || perDay !== undefined)
      throw new UsageError(
        `--per-minute and --per-day go with a plan by agreement; ${options.plan} has its own numbers.`,
      );
    return { plan: options.plan, custom: null };
  }
  if (perMinute === undefined || perDay === undefined)
    throw new UsageError(`--plan ${options.plan} needs --per-minute N and --per-day N.`);
  return { plan: options.plan, custom: { perMinute, perDay } };
}

/** The numbers of a plan, its own or the contract's. */
export function quotaOf({ plan, custom }: Plan): { perMinute: number | null; perDay: number | null } {
  if (custom !== null) return custom;
  const quota = contract().limits.plans.get(plan);
  return quota === undefined || quota === 'custom' ? { perMinute: null, perDay: null } : quota;
}

/** Writes a result to stdout: `json`, or `rows` as a table for a person. */
export function print(json: unknown, rows: Record<string, unknown>[], asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(json, null, 2)}\n` : table(rows));
}

function table(rows: Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return '';
  const lines = [columns, ...rows.map((row) => columns.map((column) => text(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function text(value: unknown): string {
  return value === null || value === undefined ? '-' : value instanceof Date ? value.toISOString() : String(value);
}
