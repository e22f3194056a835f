import { type Fingerprint, mint } from '../../src/apiKey.ts';
import { Admission, type Terms } from '../../src/store/admission.ts';
import type { ApiKey } from '../../src/store/keys.ts';
import type { OperatorStore } from '../../src/store/operator.ts';
import type { Plan } from '../../src/store/projects.ts';
import type { Verdict } from '../../src/store/verdict.ts';
import type { Database } from '../database.ts';

export const terms: Terms = {
  plans: new Map<string, { perMinute: number; perDay: number } | 'custom'>([
    ['small', { perMinute: 5, perDay: 50 }],
    ['large', { perMinute: 9, perDay: 90 }],
    ['enterprise', 'custom'],
  ]),
  banDurations: [300, 900, 3600, 86_400],
  cleanPeriod: 86_400,
};

export const second = 1_000;
export const minute = 60 * second;
export const day = 24 * 60 * minute;

/** A plan with these numbers. */
export const custom = (perMinute: number, perDay: number): Plan => ({
  plan: 'enterprise',
  custom: { perMinute, perDay },
});

export interface StoredKey {
  /** What a caller sends. */
  readonly key: string;
  readonly fingerprint: Fingerprint;
  readonly stored: ApiKey;
}

/** A new project with a key. */
export async function newProject(
  { keys }: OperatorStore,
  plan: Plan,
  expiresAt: Date | null = null,
): Promise<StoredKey> {
  const { key, fingerprint } = mint();
  return { key, fingerprint, stored: await keys.createWithProject({ fingerprint, name: 'test', expiresAt }, plan) };
}

/** Another key of the same project. */
export async function siblingOf(
  { keys }: OperatorStore,
  { stored: { projectId } }: Pick<StoredKey, 'stored'>,
): Promise<StoredKey> {
  const { key, fingerprint } = mint();
  const stored = await keys.createInProject({ fingerprint, name: 'sibling', expiresAt: null }, projectId);
  if (stored === null) throw new Error(`there is no project ${projectId}`);
  return { key, fingerprint, stored };
}

/** Stops the clock of this database at `instant`. */
export async function freezeClock(database: Database, instant: string | number): Promise<void> {
  const milliseconds = typeof instant === 'number' ? instant : Date.parse(instant);
  await database.query(
    `create or replace function service_now() returns timestamptz language sql volatile as 'select to_timestamp(${milliseconds / 1000})'`,
  );
}

/** The verdicts on requests that arrive at once at an instance that remembers nothing. */
export async function judge(database: Database, ...fingerprints: Fingerprint[]): Promise<Verdict[]> {
  const admission = new Admission(database.url, terms);
  try {
    return await Promise.all(fingerprints.map((fingerprint) => admission.admit(fingerprint)));
  } finally {
    await admission.close();
  }
}

/** `n` times the same. */
export const times = <T>(n: number, one: T): T[] => Array<T>(n).fill(one);

/** How often each outcome was given. */
export function tally(verdicts: readonly Verdict[]): Partial<Record<Verdict['outcome'], number>> {
  const counts: Partial<Record<Verdict['outcome'], number>> = {};
  for (const { outcome } of verdicts) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
