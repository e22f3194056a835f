import { type Kysely, sql } from 'kysely';
import type { Fingerprint } from '../apiKey.ts';
import { customOf, newId, type Plan } from './projects.ts';
import type { Tables } from './tables.ts';

/** An API key as it may be shown: everything but the secret, which nobody has. */
export interface ApiKey extends Plan {
  readonly id: string;
  readonly name: string | null;
  readonly projectId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Null where no ban is in force. */
  readonly bannedUntil: Date | null;
}

export interface NewKey {
  readonly fingerprint: Fingerprint;
  readonly name: string | null;
  readonly expiresAt: Date | null;
}

/** What says which key is meant. */
type Named = { readonly id: string } | { readonly fingerprint: Fingerprint };

/** The keys' questions. */
export class Keys {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores a key in a new project with this plan, both or neither. */
  async createWithProject(key: NewKey, { plan, custom }: Plan): Promise<ApiKey> {
    return this.#db.transaction().execute(async (trx) => {
      const project = await trx
        .insertInto('projects')
        .values({
          id: newId('prj'),
          name: key.name,
          plan,
          per_minute: custom?.perMinute ?? null,
          per_day: custom?.perDay ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return insertKey(trx, key, project.id);
    });
  }

  /** Stores another key of a project; null when there is no such project. */
  async createInProject(key: NewKey, projectId: string): Promise<ApiKey | null> {
    return this.#db.transaction().execute(async (trx) => {
      const project = await trx
        .selectFrom('projects')
        .select('id')
        .where('id', '=', projectId)
        .forKeyShare()
        .executeTakeFirst();
      return project === undefined ? null : insertKey(trx, key, project.id);
    });
  }

  /** Oldest first, revoked and expired ones too. */
  list(): Promise<ApiKey[]> {
    return selectKeys(this.#db);
  }

  /** The key with this fingerprint, revoked or expired as it may be; null when there is none. */
  async find(fingerprint: Fingerprint): Promise<ApiKey | null> {
    const [key] = await selectKeys(this.#db, { fingerprint });
    return key ?? null;
  }

  /** Revokes a key from the next request on; false when there is none. */
  async revoke(key: Named): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('api_keys as k')
      .set({ revoked_at: sql`coalesce(revoked_at, service_now())` })
      .where(is(key))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Ends a ban now and forgets the rejections that led to it; false when there is no such key. */
  async unban(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('api_keys')
      .set({ banned_until: sql`least(banned_until, service_now())`, denied: 0 })
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}

async function insertKey(db: Kysely<Tables>, key: NewKey, projectId: string): Promise<ApiKey> {
  const id = newId('key');
  await db
    .insertInto('api_keys')
    .values({
      id,
      project_id: projectId,
      name: key.name,
      fingerprint: bytes(key.fingerprint),
      expires_at: key.expiresAt,
    })
    .execute();
  const [stored] = await selectKeys(db, { id });
  if (stored === undefined) throw new Error(`the key ${id} was inserted and is not there`);
  return stored;
}

async function selectKeys(db: Kysely<Tables>, key?: Named): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys as k')
    .innerJoin('projects as p', 'p.id', 'k.project_id')
    .select(['k.id', 'k.name', 'k.project_id', 'p.plan', 'p.per_minute', 'p.per_day'])
    .select(['k.created_at', 'k.expires_at', 'k.revoked_at', 'k.last_used_at'])
    .select(sql<Date | null>`case when banned_until > service_now() then banned_until end`.as('banned_until'))
    .where(key === undefined ? sql<boolean>`true` : is(key))
    .orderBy('k.created_at')
    .orderBy('k.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    projectId: row.project_id,
    plan: row.plan,
    custom: customOf(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    bannedUntil: row.banned_until,
  }));
}

/** The condition on `api_keys as k` that it is this key. */
function is(key: Named) {
  return 'id' in key ? sql<boolean>`k.id = ${key.id}` : sql<boolean>`k.fingerprint = ${bytes(key.fingerprint)}`;
}

function bytes(fingerprint: Fingerprint): Buffer {
  return Buffer.from(fingerprint, 'hex');
}
