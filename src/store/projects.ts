import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** A plan by name; with numbers of its own where the plan is "custom". */
export interface Plan {
  readonly plan: string;
  readonly custom: { readonly perMinute: number; readonly perDay: number } | null;
}

export interface Project extends Plan {
  readonly id: string;
  readonly name: string | null;
  readonly usedThisMinute: number;
  readonly usedToday: number;
  readonly createdAt: Date;
}

/** The projects' questions: who has which plan, and what is used of it. */
export class Projects {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Oldest first. */
  async list(): Promise<Project[]> {
    const rows = await this.#db
      .selectFrom('projects')
      .selectAll()
      .select([
        sql<number>`case when minute = floor(extract(epoch from service_now()) / 60) then minute_used else 0 end`.as(
          'used_this_minute',
        ),
        sql<number>`case when day = floor(extract(epoch from service_now()) / 86400) then day_used else 0 end`.as(
          'used_today',
        ),
      ])
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      plan: row.plan,
      custom: customOf(row),
      usedThisMinute: row.used_this_minute,
      usedToday: row.used_today,
      createdAt: row.created_at,
    }));
  }

  /** False when there is no such project. What is used stays used. */
  async setPlan(id: string, { plan, custom }: Plan): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('projects')
      .set({ plan, per_minute: custom?.perMinute ?? null, per_day: custom?.perDay ?? null })
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}

/** A project's own numbers, where it has some. */
export function customOf(row: { per_minute: number | null; per_day: number | null }): Plan['custom'] {
  return row.per_minute === null || row.per_day === null ? null : { perMinute: row.per_minute, perDay: row.per_day };
}

/** A new identifier, like `prj_5f0c…`: 96 random bits, so it needs no look at those that exist. */
export function newId(prefix: 'prj' | 'key'): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
