import { Command } from 'commander';
import type { ApiKey } from '../store/keys.ts';
import { print, quotaOf, withStore } from './command.ts';

export const keysList = new Command('list')
  .description('every key with its project, plan, quotas, dates and ban; never the secret')
  .option('--json', 'print a JSON array', false)
  .action(async ({ json }: { json: boolean }) => {
    const keys = (await withStore((store) => store.keys.list())).map(showKey);
    print(keys, keys, json);
    if (keys.length === 0 && !json)
      process.stderr.write('No keys yet. Make one: animal-store keys create --plan free\n');
  });

/** A key as the command line shows it. */
export function showKey(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    projectId: key.projectId,
    plan: key.plan,
    ...quotaOf(key),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
    lastUsedAt: key.lastUsedAt,
    bannedUntil: key.bannedUntil,
  };
}
