import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Contract } from '../contract/contract.ts';
import { lacking, migrate, UnfitDatabase } from '../store/migrate.ts';
import { checkPlans } from '../store/plans.ts';

/**
 * Brings the schema up to date, or looks whether it is, and whether the document has the plans of all projects; tries
 * again for as long as the database is away. Throws `UnfitDatabase` where no later try can succeed.
 */
export async function prepareDatabase(
  url: string,
  { migrateOnStart }: Config,
  { limits }: Contract,
  logger: Logger,
  ending: AbortSignal,
): Promise<void> {
  while (!ending.aborted) {
    try {
      const names = migrateOnStart ? [] : await lacking(url);
      if (migrateOnStart) await migrate(url);
      if (names.length > 0) logger.warn(`the database lacks ${names.join(', ')}: run animal-store migrate`);
      else await checkPlans(url, limits.plans);
      return;
    } catch (error) {
      if (error instanceof UnfitDatabase) throw error;
      logger.warn({ err: error }, 'the database is not ready yet');
    }
    await sleep(1_000, undefined, { signal: ending }).catch(() => {}); // aborted: the service ends
  }
}
