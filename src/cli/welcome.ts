import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, mint } from '../apiKey.ts';
import type { Contract } from '../contract/contract.ts';
import type { Keys } from '../store/keys.ts';

/** Tells the person at the terminal what to do next with a service on the embedded PostgreSQL, with a key that works. */
export async function welcome({
  origin,
  contract: { basePath, limits },
  dataDir,
  url,
}: {
  origin: string;
  contract: Contract;
  dataDir: string;
  url: string;
}): Promise<void> {
  // Only here: a service on a database of its operator's has no use for it.
  const { openOperatorStore } = await import('../store/operator.ts');
  const store = openOperatorStore(url);
  // The demo key's plan: the first that needs no agreement.
  const plan = [...limits.plans].find(([, quota]) => quota !== 'custom')?.[0] ?? null;
  const key = await demoKey(join(dataDir, 'demo-key'), store.keys, plan).finally(() => store.close());
  const pets = `${origin}${basePath}/pets`;
  process.stderr.write(
    [
      `  Documentation  ${origin}/docs`,
      `  Database       embedded PostgreSQL in ${dataDir}`,
      ...(key === null
        ? [`  Make an API key with: npx animal-store keys create --plan ${plan ?? '<plan>'}`]
        : [
            `  API key        ${key} (plan ${plan}, for trying)`,
            '',
            '  Add an animal, and list all:',
            `  curl -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":5}' '${pets}'`,
            `  curl -H 'Authorization: Bearer ${key}' '${pets}'`,
          ]),
      '',
    ].join('\n'),
  );
}

/** The demo key, made on the first run and kept beside the data it opens; null once it was revoked. */
async function demoKey(file: string, keys: Keys, plan: string | null): Promise<string | null> {
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const known = fingerprint(kept);
  const stored = known === null ? null : await keys.find(known);
  if (stored !== null) return stored.revokedAt === null ? kept : null;
  if (plan === null) return null;
  const fresh = mint();
  // Before it is stored: a key that is stored and nowhere to be read would be of no use to anybody.
  writeFileSync(file, `${fresh.key}\n`, { mode: 0o600 });
  await keys.createWithProject(
    { fingerprint: fresh.fingerprint, name: 'demo', expiresAt: null },
    { plan, custom: null },
  );
  return fresh.key;
}
