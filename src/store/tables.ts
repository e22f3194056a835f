import type { ColumnType, Generated } from 'kysely';

/** A bigint column: read as its digits, written as any integer. */
type Int8 = ColumnType<string, bigint | number | undefined, bigint | number>;

export interface Tables {
  projects: {
    id: string;
    name: string | null;
    plan: string;
    per_minute: number | null;
    per_day: number | null;
    minute: Int8;
    minute_used: Generated<number>;
    day: Int8;
    day_used: Generated<number>;
    created_at: Generated<Date>;
  };
  api_keys: {
    id: string;
    project_id: string;
    name: string | null;
    fingerprint: Buffer;
    created_at: Generated<Date>;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
    denied_minute: Int8;
    denied: Generated<number>;
    ban_level: Generated<number>;
    banned_until: Date | null;
  };
}
