import type { Fingerprint } from '../apiKey.ts';
import { unavailable } from '../failure.ts';
import { Batch } from './batch.ts';
import { Connection, type Row, sqlState, type Statement } from './connection.ts';

/** The plans and the ban's terms that admission judges by. */
export interface Terms {
  readonly plans: ReadonlyMap<string, { readonly perMinute: number; readonly perDay: number } | 'custom'>;
  /** Seconds by level. */
  readonly banDurations: readonly number[];
  /** Seconds after a ban in which the level falls by one. */
  readonly cleanPeriod: number;
}

/** What a project has used of its quotas, this request included if it was let in. */
export interface Usage {
  readonly perMinute: number;
  readonly perDay: number;
  readonly minuteUsed: number;
  readonly dayUsed: number;
  /** When the windows reset, Unix milliseconds. */
  readonly minuteEnd: number;
  readonly dayEnd: number;
  /** The database's clock at the verdict, Unix milliseconds. */
  readonly now: number;
}

export type Verdict =
  | { readonly outcome: 'admitted' | 'limited'; readonly keyId: string; readonly usage: Usage }
  | { readonly outcome: 'banned'; readonly keyId: string; readonly usage: Usage; readonly until: number }
  /** No such key, or it is revoked or expired. */
  | { readonly outcome: 'unknown' };

/** Milliseconds for the statement. */
const limit = 1_000;

/** More than wait for any statement that is not hanging. */
const most = 2_000;

/** Milliseconds that a refusal may be answered from memory: an unban or a new plan is felt within a second. */
const refusalHeld = 800;

/** Refusals held at once; past that the oldest is forgotten, which costs one question to PostgreSQL. */
const refusalsHeld = 10_000;

/**
 * Key, expiry, revocation, ban, minute and day in one statement, for any number of keys.
 *
 * In: keys, how many requests of each wait, how many were refused from memory since the last question and in which
 * minute; the plans; the ban's terms. Out: a row for each key that is valid.
 *
 * Exact under concurrency because the project's row is locked before it is read: `locked` waits for whoever counts the
 * same project at that moment and then sees its result, and the clock is read after that wait. Always in the order of
 * ids, so that two instances cannot lock each other out. Denied requests write nothing to the project.
 */
const admit: Statement = {
  name: 'admit',
  text: `
    with asked as materialized (
      select decode(fingerprint, 'hex') as fingerprint, requests, refused, refused_minute, number
      from unnest($1::text[], $2::int[], $3::int[], $4::bigint[])
        with ordinality as t (fingerprint, requests, refused, refused_minute, number)
    ), plans as materialized (
      select * from unnest($5::text[], $6::int[], $7::int[]) as t (plan, per_minute, per_day)
    ), found as materialized (
      select asked.*, k.id as key_id, k.project_id, k.expires_at, k.banned_until, k.last_used_at
      from asked join api_keys k using (fingerprint)
      where k.revoked_at is null
    ), locked as materialized (
      select *, service_now() as at from (
        select * from projects where id in (select project_id from found) order by id for no key update
      ) as p
    ), project as materialized (
      select
        locked.id, locked.at, window_.minute, window_.day,
        case when locked.minute = window_.minute then locked.minute_used else 0 end as minute_used,
        case when locked.day = window_.day then locked.day_used else 0 end as day_used,
        coalesce(locked.per_minute, plans.per_minute) as per_minute,
        coalesce(locked.per_day, plans.per_day) as per_day
      from locked
      left join plans on plans.plan = locked.plan
      -- A clock that was set back does not give a window twice.
      cross join lateral (select
        greatest(locked.minute, floor(extract(epoch from locked.at) / 60)::bigint) as minute,
        greatest(locked.day, floor(extract(epoch from locked.at) / 86400)::bigint) as day
      ) as window_
    ), queue as materialized (
      select
        found.*, project.at, project.minute, project.day, project.per_minute, project.per_day,
        project.minute_used, project.day_used,
        coalesce(found.banned_until > project.at, false) as banned,
        -- Nothing where the plan is unknown.
        greatest(0, least(project.per_minute - project.minute_used, project.per_day - project.day_used)) as free,
        -- Keys of one project stand in line for the same quota.
        coalesce(sum(case when found.banned_until > project.at then 0 else requests end) over (
          partition by found.project_id order by number rows between unbounded preceding and 1 preceding
        ), 0) as ahead
      from found join project on project.id = found.project_id
      where found.expires_at is null or found.expires_at > project.at
    ), verdict as materialized (
      select *, case when banned then 0 else greatest(0, least(requests, free - ahead))::int end as granted
      from queue
    ), charge as (
      update projects set
        minute = v.minute, minute_used = v.minute_used + v.granted,
        day = v.day, day_used = v.day_used + v.granted
      from (
        select project_id, minute, minute_used, day, day_used, sum(granted)::int as granted
        from verdict where granted > 0 group by project_id, minute, minute_used, day, day_used
      ) as v
      where projects.id = v.project_id
    ), rejected as materialized (
      select
        key_id, at, minute, per_minute, requests - granted
          + case when refused_minute = minute then refused else 0 end as denied
      from verdict
      where not banned and requests - granted + refused > 0
    ), offender as materialized (
      select
        k.id, rejected.at, rejected.minute, rejected.per_minute,
        case when k.denied_minute = rejected.minute then k.denied else 0 end + rejected.denied as denied,
        greatest(0, k.ban_level - case when k.banned_until is null then 0 else
          floor(extract(epoch from rejected.at - k.banned_until) / $9::int)::int end) as level,
        k.banned_until
      from (
        select * from api_keys where id in (select key_id from rejected) order by id for no key update
      ) as k
      join rejected on rejected.key_id = k.id
    ), sentence as materialized (
      select *, denied >= per_minute and (banned_until is null or banned_until <= at) as is_banned
      from offender
    ), marked as (
      update api_keys set
        last_used_at = v.at,
        denied_minute = coalesce(s.minute, api_keys.denied_minute),
        denied = case when s.is_banned then 0 else coalesce(s.denied, api_keys.denied) end,
        ban_level = case when s.is_banned then s.level + 1 else api_keys.ban_level end,
        banned_until = case when s.is_banned
          then s.at + make_interval(secs => ($8::int[])[least(s.level + 1, cardinality($8::int[]))])
          else api_keys.banned_until end
      from verdict as v left join sentence as s on s.id = v.key_id
      where api_keys.id = v.key_id
        -- "Last used" is kept to ten seconds, so that not every request writes to its key.
        and (s.id is not null or v.last_used_at is null or v.last_used_at < v.at - interval '10 seconds')
      -- Whoever is told of a ban finds it after a crash: only a new one makes its statement wait for the disk.
      returning api_keys.id, api_keys.banned_until,
        case when s.is_banned then set_config('synchronous_commit', 'on', true) end
    )
    select
      v.number, v.key_id, v.granted,
      v.per_minute, v.per_day,
      least(v.minute_used, v.per_minute) + least(v.ahead, v.free), least(v.day_used, v.per_day) + least(v.ahead, v.free),
      floor(extract(epoch from v.at) * 1000)::bigint,
      ceil(extract(epoch from greatest(v.banned_until, marked.banned_until)) * 1000)::bigint,
      s.per_minute - s.denied, v.minute, v.day
    from verdict as v
    left join sentence as s on s.id = v.key_id
    left join marked on marked.id = v.key_id`,
};

/** A refusal that cannot change before `until` (monotonic milliseconds), and how often it was given since. */
interface Refusal {
  readonly verdict: Exclude<Verdict, { outcome: 'admitted' | 'unknown' }>;
  readonly until: number;
  readonly minute: string;
  /** How many more rejections make a ban; null for a key that is banned already. */
  readonly patience: number | null;
  given: number;
}

/** Lets requests in by their key, exactly, at every instance; see `admit`. */
export class Admission {
  readonly #connection: Connection;
  readonly #batch: Batch<Fingerprint, Verdict>;
  readonly #terms: readonly unknown[];
  readonly #refusals = new Map<Fingerprint, Refusal>();
  #clockOffset = 0;

  constructor(url: string, terms: Terms) {
    // A crash of PostgreSQL may forget the last moment of counts (three times wal_writer_delay, 0.6 seconds unless
    // configured otherwise); waiting for the disk on every statement would cost most of the throughput. The
    // statement that pronounces a ban does wait.
    this.#connection = new Connection(url, limit, { synchronous_commit: 'off' });
    this.#batch = new Batch((fingerprints) => this.#ask(fingerprints), most);
    const fixed = [...terms.plans].flatMap(([plan, quota]) => (quota === 'custom' ? [] : [{ plan, ...quota }]));
    this.#terms = [
      fixed.map(({ plan }) => plan),
      fixed.map(({ perMinute }) => perMinute),
      fixed.map(({ perDay }) => perDay),
      terms.banDurations,
      terms.cleanPeriod,
    ];
  }

  /** The verdict on one request with this key. Throws `Failure` 503 where PostgreSQL does not answer. */
  admit(fingerprint: Fingerprint): Verdict | Promise<Verdict> {
    const refusal = this.#refusals.get(fingerprint);
    if (refusal === undefined) return this.#batch.ask(fingerprint);
    if (performance.now() >= refusal.until || (refusal.patience !== null && refusal.given + 1 >= refusal.patience)) {
      return this.#batch.ask(fingerprint);
    }
    refusal.given++;
    const { verdict } = refusal;
    return { ...verdict, usage: { ...verdict.usage, now: Math.max(this.now(), verdict.usage.now) } };
  }

  /** The database's clock, Unix milliseconds, as far as the last answer told it. */
  now(): number {
    return Date.now() + this.#clockOffset;
  }

  get waiting(): number {
    return this.#batch.waiting;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #ask(fingerprints: readonly Fingerprint[]): Promise<(Verdict | Error)[]> {
    const keys = new Map<Fingerprint, number>();
    for (const fingerprint of fingerprints) keys.set(fingerprint, (keys.get(fingerprint) ?? 0) + 1);
    const asked = [...keys];
    const refusals = asked.map(([fingerprint]) => this.#refusals.get(fingerprint));
    const reported = refusals.map((refusal) => (refusal?.patience == null ? 0 : refusal.given));
    const askedAt = performance.now();
    let rows: Row[];
    try {
      rows = await this.#connection.run(admit, [
        asked.map(([fingerprint]) => fingerprint),
        asked.map(([, requests]) => requests),
        reported,
        refusals.map((refusal) => refusal?.minute ?? '0'),
        ...this.#terms,
      ]);
    } catch (error) {
      // No such table, column or function: the schema is not there yet, or another server's.
      if (/^42(P01|703|883)$/.test(sqlState(error) ?? '')) throw unavailable(error);
      throw error;
    }
    for (const [fingerprint] of asked) this.#refusals.delete(fingerprint);
    const verdicts = new Map<Fingerprint, (nth: number) => Verdict | Error>();
    for (const row of rows) {
      const index = Number(row[0]) - 1;
      const [fingerprint, requests] = asked[index] ?? [];
      if (fingerprint === undefined || requests === undefined) continue;
      // Those given while the statement was under way are for the next one to report.
      const given = (refusals[index]?.given ?? 0) - (reported[index] ?? 0);
      verdicts.set(fingerprint, this.#read(row, fingerprint, requests, given, askedAt));
    }
    const counts = new Map<Fingerprint, number>();
    return fingerprints.map((fingerprint) => {
      const nth = counts.get(fingerprint) ?? 0;
      counts.set(fingerprint, nth + 1);
      return verdicts.get(fingerprint)?.(nth) ?? { outcome: 'unknown' };
    });
  }

  /** The verdicts on all requests of one key, from its row; a refusal is kept for the next ones. */
  #read(row: Row, fingerprint: Fingerprint, requests: number, given: number, askedAt: number): (nth: number) => Verdict | Error {
    const keyId = row[1] ?? '';
    if (row[3] == null) return () => new Error(`the project of ${keyId} has a plan that openapi.yaml does not name`);
    const [granted, perMinute, perDay, minuteUsed, dayUsed, now] = row.slice(2, 8).map(Number) as [
      // The statement has no null in these columns where there is a quota.
      number, number, number, number, number, number,
    ];
    this.#clockOffset = now - Date.now();
    const usage = (taken: number): Usage => ({
      perMinute,
      perDay,
      minuteUsed: minuteUsed + taken,
      dayUsed: dayUsed + taken,
      // Not from `now`: the windows stay where they are when the clock is set back.
      minuteEnd: (Number(row[10]) + 1) * 60_000,
      dayEnd: (Number(row[11]) + 1) * 86_400_000,
      now,
    });
    const bannedUntil = row[8] == null ? 0 : Number(row[8]);
    const refused: Refusal['verdict'] =
      bannedUntil > now
        ? { outcome: 'banned', keyId, usage: usage(granted), until: bannedUntil }
        : { outcome: 'limited', keyId, usage: usage(granted) };
    if (granted < requests) {
      const change = refused.outcome === 'banned' ? refused.until : windowEnd(refused.usage);
      if (this.#refusals.size >= refusalsHeld) {
        for (const oldest of this.#refusals.keys()) {
          this.#refusals.delete(oldest);
          break;
        }
      }
      this.#refusals.set(fingerprint, {
        verdict: refused,
        until: askedAt + Math.min(refusalHeld, change - now),
        minute: row[10] ?? '0',
        patience: refused.outcome === 'banned' ? null : Number(row[9]),
        given,
      });
    }
    return (nth) => (nth < granted ? { outcome: 'admitted', keyId, usage: usage(nth + 1) } : refused);
  }
}

/** When the exhausted window resets, Unix milliseconds: the day where both are used up. */
export function windowEnd(usage: Usage): number {
  return usage.dayUsed >= usage.perDay ? usage.dayEnd : usage.minuteEnd;
}
