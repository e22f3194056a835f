import type { Fingerprint } from '../apiKey.ts';
import { unavailable } from '../failure.ts';
import { Batch } from './batch.ts';
import { Connection, sqlState } from './connection.ts';
import { Refusals } from './refusals.ts';
import { arrayText, type Row, type Statement, type Value } from './statement.ts';
import type { Refused, Usage, Verdict } from './verdict.ts';

/** The plans and the ban's terms that admission judges by. */
export interface Terms {
  readonly plans: ReadonlyMap<string, { readonly perMinute: number; readonly perDay: number } | 'custom'>;
  /** Seconds by level. */
  readonly banDurations: readonly number[];
  /** Seconds after a ban in which the level falls by one. */
  readonly cleanPeriod: number;
}

/** Milliseconds for a statement. */
const limit = 1_000;

/** More than wait for any statement that is not hanging. */
const most = 2_000;

/**
 * Lets in the keys all of whose requests may come in, which is nearly always all of them: key, expiry, revocation, ban,
 * minute and day in one update.
 *
 * In: keys, and how many requests of each wait (none, where the key is for `judge` anyway); the plans. Out: a row for
 * each key that was let in; `judge` says of the others why not, or how many of their requests may.
 *
 * Exact under concurrency because an update that had to wait for another of the same project judges by what that one
 * left (PostgreSQL documentation, 13.2.1). Always in the order of projects, so that two instances cannot lock each other
 * out. Keys that stand in line for one quota are for `judge`, as an update counts for a row once.
 *
 * Beside `judge` it costs PostgreSQL half as much: 0.15 ms for one key, and 20 µs instead of 35 for each further one.
 */
const admit: Statement = {
  name: 'admit',
  text: `
    update projects as p set
      minute = greatest(p.minute, line.this_minute),
      minute_used = case when p.minute < line.this_minute then 0 else p.minute_used end + line.requests,
      day = greatest(p.day, line.this_day),
      day_used = case when p.day < line.this_day then 0 else p.day_used end + line.requests
    from (
      select
        asked.number, asked.requests, k.id as key_id, k.project_id, k.last_used_at, clock.at,
        -- date_part is a double and quick; extract a numeric.
        floor(date_part('epoch', clock.at) / 60)::bigint as this_minute,
        floor(date_part('epoch', clock.at) / 86400)::bigint as this_day,
        count(*) over (partition by k.project_id) as siblings
      from (select service_now() as at offset 0) as clock
      cross join unnest($1::text[], $2::int[]) with ordinality as asked (fingerprint, requests, number)
      join api_keys as k on k.fingerprint = decode(asked.fingerprint, 'hex')
      where k.revoked_at is null
        and (k.expires_at is null or k.expires_at > clock.at)
        and (k.banned_until is null or k.banned_until <= clock.at)
      order by k.project_id
    ) as line
    where p.id = line.project_id
      and line.siblings = 1 and line.requests > 0
      and case when p.minute < line.this_minute then 0 else p.minute_used end + line.requests
        <= coalesce(p.per_minute, ($4::int[])[array_position($3::text[], p.plan)])
      and case when p.day < line.this_day then 0 else p.day_used end + line.requests
        <= coalesce(p.per_day, ($5::int[])[array_position($3::text[], p.plan)])
    returning
      line.number, line.key_id, line.requests,
      coalesce(p.per_minute, ($4::int[])[array_position($3::text[], p.plan)]),
      coalesce(p.per_day, ($5::int[])[array_position($3::text[], p.plan)]),
      p.minute_used - line.requests, p.day_used - line.requests,
      floor(date_part('epoch', line.at) * 1000)::bigint,
      null,
      p.minute, p.day,
      line.last_used_at is null or line.last_used_at < line.at - interval '10 seconds'`,
};

/**
 * The whole question, for the keys that `admit` left out.
 *
 * In: as `admit`. Out: the same columns, a row for each key that is valid.
 *
 * The project's row is locked before it is read: `line` waits for whoever counts the same project at that moment and
 * then sees its result, and the clock is read after that wait. Denied requests write nothing to the project.
 */
const judge: Statement = {
  name: 'judge',
  text: `
    with line as materialized (
      select
        asked.number, asked.requests,
        k.id as key_id, k.project_id, k.expires_at, k.banned_until, k.last_used_at,
        p.minute, p.minute_used, p.day, p.day_used,
        coalesce(p.per_minute, ($4::int[])[array_position($3::text[], p.plan)]) as per_minute,
        coalesce(p.per_day, ($5::int[])[array_position($3::text[], p.plan)]) as per_day
      from unnest($1::text[], $2::int[]) with ordinality as asked (fingerprint, requests, number)
      join api_keys k on k.fingerprint = decode(asked.fingerprint, 'hex')
      join projects p on p.id = k.project_id
      where k.revoked_at is null
      order by p.id
      for no key update of p
    ), clock as materialized (
      -- Once, and after the last lock.
      select service_now() as at from (select count(*) from line) as locked
    ), verdict as materialized (
      select
        *,
        coalesce(banned_until > at, false) as banned,
        -- Keys of one project stand in line for the same quota.
        coalesce(sum(case when banned_until > at then 0 else requests end) over (
          partition by project_id order by number rows between unbounded preceding and 1 preceding
        ), 0) as ahead,
        -- Nothing where the plan is unknown.
        greatest(0, least(per_minute - used_in_minute, per_day - used_in_day)) as free
      from line
      cross join clock
      -- A clock that was set back does not give a window twice.
      cross join lateral (select
        greatest(minute, floor(date_part('epoch', at) / 60)::bigint) as this_minute,
        greatest(day, floor(date_part('epoch', at) / 86400)::bigint) as this_day
      ) as window_
      cross join lateral (select
        case when minute = this_minute then minute_used else 0 end as used_in_minute,
        case when day = this_day then day_used else 0 end as used_in_day
      ) as used
      where expires_at is null or expires_at > at
    ), charge as (
      update projects set
        minute = v.this_minute, minute_used = v.used_in_minute + v.granted,
        day = v.this_day, day_used = v.used_in_day + v.granted
      from (
        select
          project_id, this_minute, used_in_minute, this_day, used_in_day,
          least(min(free), sum(case when banned then 0 else requests end))::int as granted
        from verdict
        group by project_id, this_minute, used_in_minute, this_day, used_in_day
      ) as v
      where projects.id = v.project_id and v.granted > 0
    )
    select
      number, key_id, case when banned then 0 else greatest(0, least(requests, free - ahead)) end,
      per_minute, per_day,
      least(used_in_minute, per_minute) + least(ahead, free), least(used_in_day, per_day) + least(ahead, free),
      floor(date_part('epoch', at) * 1000)::bigint,
      ceil(date_part('epoch', banned_until) * 1000)::bigint,
      this_minute, this_day,
      last_used_at is null or last_used_at < at - interval '10 seconds'
    from verdict`,
};

/**
 * What admission leaves behind at the keys, apart because it is rare: when they were last used, kept to ten seconds;
 * and rejections, which lead to a ban.
 *
 * In: keys, how many of their requests were denied and in which minute, the quota of a minute; the ban's terms. Out: a
 * row for each key, with the end of its ban and how many more rejections make one.
 */
const mark: Statement = {
  name: 'mark',
  text: `
    with offender as materialized (
      select
        k.id, k.banned_until, t.minute, t.per_minute, service_now() as at,
        case when k.denied_minute = t.minute then k.denied else 0 end + t.denied as denied,
        k.ban_level as level
      from unnest($1::text[], $2::int[], $3::bigint[], $4::int[]) as t (id, denied, minute, per_minute)
      join (select * from api_keys where id = any ($1::text[]) order by id for no key update) as k on k.id = t.id
    ), sentence as materialized (
      select
        *, denied >= per_minute and (banned_until is null or banned_until <= at) as is_banned,
        greatest(0, level - coalesce(floor(date_part('epoch', at - banned_until) / $6::int)::int, 0)) as rest
      from offender
    )
    update api_keys set
      last_used_at = s.at,
      denied_minute = s.minute,
      denied = case when s.is_banned then 0 else s.denied end,
      ban_level = case when s.is_banned then s.rest + 1 else api_keys.ban_level end,
      banned_until = case when s.is_banned
        then s.at + make_interval(secs => ($5::int[])[least(s.rest + 1, cardinality($5::int[]))])
        else api_keys.banned_until end
    from sentence as s
    where api_keys.id = s.id
    returning
      api_keys.id, ceil(date_part('epoch', api_keys.banned_until) * 1000)::bigint, s.per_minute - api_keys.denied,
      ceil(date_part('epoch', s.at) * 1000)::bigint,
      -- Whoever is told of a ban finds it after a crash: only a new one makes its statement wait for the disk.
      case when s.is_banned then set_config('synchronous_commit', 'on', true) end`,
};

/** What `admit` or `judge` says of one key, for all of its requests in the batch. */
interface Line {
  readonly fingerprint: Fingerprint;
  readonly keyId: string;
  readonly requests: number;
  readonly granted: number;
  usage: Usage;
  /** The minute of the verdict, since the Unix epoch. */
  readonly minute: string;
  bannedUntil: number;
  readonly isDue: boolean;
}

/** Lets requests in by their key, exactly, at every instance; see `admit` and `judge`. */
export class Admission {
  readonly #connection: Connection;
  readonly #batch: Batch<Fingerprint, Verdict>;
  readonly #plans: readonly Value[];
  readonly #ban: readonly Value[];
  readonly #refusals = new Refusals();
  #clockOffset = 0;

  constructor(url: string, terms: Terms) {
    // A crash of PostgreSQL may forget the last moment of counts (three times wal_writer_delay, 0.6 seconds unless
    // configured otherwise); waiting for the disk on every statement would cost most of the throughput. The
    // statement that pronounces a ban does wait. And the plan is made when there are few keys, to serve when there
    // are many; without other joins than nested loops, the order of projects in `admit` stays what it is.
    this.#connection = new Connection(url, limit, {
      synchronous_commit: 'off',
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
    });
    this.#batch = new Batch((fingerprints) => this.#ask(fingerprints), most);
    const fixed = [...terms.plans].flatMap(([plan, quota]) => (quota === 'custom' ? [] : [{ plan, ...quota }]));
    this.#plans = [
      arrayText(fixed.map(({ plan }) => plan)),
      arrayText(fixed.map(({ perMinute }) => perMinute)),
      arrayText(fixed.map(({ perDay }) => perDay)),
    ];
    this.#ban = [arrayText(terms.banDurations), `${terms.cleanPeriod}`];
  }

  /** The verdict on one request with this key. Throws `Failure` 503 where PostgreSQL does not answer. */
  admit(fingerprint: Fingerprint): Verdict | Promise<Verdict> {
    const verdict = this.#refusals.repeat(fingerprint);
    if (verdict === null) return this.#batch.ask(fingerprint);
    return { ...verdict, usage: { ...verdict.usage, now: Math.max(this.now(), verdict.usage.now) } };
  }

  /** The database's clock, Unix milliseconds, as far as the last answer told it. */
  now(): number {
    return Date.now() + this.#clockOffset;
  }

  get waiting(): number {
    return this.#batch.waiting;
  }

  get unanswered(): number {
    return this.#batch.unanswered;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #ask(fingerprints: readonly Fingerprint[]): Promise<(Verdict | Error)[]> {
    const keys = new Map<Fingerprint, number>();
    for (const fingerprint of fingerprints) keys.set(fingerprint, (keys.get(fingerprint) ?? 0) + 1);
    const askedAt = performance.now();
    const lines = new Map<Fingerprint, Line | Error>();
    // Whoever was refused the last time is likely to be refused again; with no requests it only keeps its place.
    const hopeful = [...keys].map(([fingerprint, requests]): [Fingerprint, number] => [
      fingerprint,
      this.#refusals.has(fingerprint) ? 0 : requests,
    ]);
    if (hopeful.some(([, requests]) => requests > 0)) await this.#judge(admit, hopeful, lines);
    const others = [...keys].filter(([fingerprint]) => !lines.has(fingerprint));
    if (others.length > 0) await this.#judge(judge, others, lines);
    await this.#mark(
      [...lines.values()].filter((line): line is Line => !(line instanceof Error)),
      askedAt,
    );

    const counts = new Map<Fingerprint, number>();
    return fingerprints.map((fingerprint) => {
      const nth = (counts.get(fingerprint) ?? 0) + 1;
      counts.set(fingerprint, nth);
      const line = lines.get(fingerprint);
      if (line === undefined) return { outcome: 'unknown' };
      if (line instanceof Error) return line;
      return nth <= line.granted
        ? { outcome: 'admitted', keyId: line.keyId, usage: used(line.usage, nth) }
        : refusal(line);
    });
  }

  /** Adds to `lines` what the statement says of the keys. */
  async #judge(
    statement: Statement,
    keys: readonly (readonly [Fingerprint, number])[],
    lines: Map<Fingerprint, Line | Error>,
  ): Promise<void> {
    const rows = await this.#run(statement, [
      arrayText(keys.map(([fingerprint]) => fingerprint)),
      arrayText(keys.map(([, requests]) => requests)),
      ...this.#plans,
    ]);
    for (const row of rows) {
      const [fingerprint, requests] = keys[Number(row[0]) - 1] ?? [];
      if (fingerprint !== undefined && requests !== undefined)
        lines.set(fingerprint, this.#read(row, fingerprint, requests));
    }
  }

  #read(row: Row, fingerprint: Fingerprint, requests: number): Line | Error {
    const keyId = row[1] ?? '';
    if (row[3] == null) return new Error(`the project of ${keyId} has a plan that openapi.yaml does not name`);
    const [granted, perMinute, perDay, minuteUsed, dayUsed, now] = row.slice(2, 8).map(Number) as [
      // The statement has no null in these columns where there is a quota.
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    this.#clockOffset = now - Date.now();
    // The windows are not taken from `now`: they stay where they are when the clock is set back.
    const minuteEnd = (Number(row[9]) + 1) * 60_000;
    const dayEnd = (Number(row[10]) + 1) * 86_400_000;
    return {
      fingerprint,
      keyId,
      requests,
      granted,
      usage: { perMinute, perDay, minuteUsed, dayUsed, minuteEnd, dayEnd, now },
      minute: row[9] ?? '',
      bannedUntil: Number(row[8] ?? 0),
      isDue: row[11] === 't',
    };
  }

  /** Reports rejections, which may make a ban of them, and keeps the refusals for the next requests. */
  async #mark(lines: readonly Line[], askedAt: number): Promise<void> {
    const reports = lines.map((line) => {
      const isBanned = line.bannedUntil > line.usage.now;
      const given = this.#refusals.take(line.fingerprint, line.minute);
      return { line, denied: isBanned ? 0 : line.requests - line.granted + given };
    });
    const due = reports.filter(({ line, denied }) => denied > 0 || line.isDue);
    const marked = new Map<string | null | undefined, Row>();
    if (due.length > 0) {
      const rows = await this.#run(mark, [
        arrayText(due.map(({ line }) => line.keyId)),
        arrayText(due.map(({ denied }) => denied)),
        arrayText(due.map(({ line }) => line.minute)),
        arrayText(due.map(({ line }) => line.usage.perMinute)),
        ...this.#ban,
      ]);
      for (const row of rows) marked.set(row[0], row);
    }
    for (const line of lines) {
      const [, bannedUntil, patience, now] = marked.get(line.keyId) ?? [];
      if (bannedUntil != null) line.bannedUntil = Number(bannedUntil);
      // A ban is counted from the moment it was pronounced, so that Retry-After is no second too long.
      if (now != null && line.bannedUntil > Number(now)) line.usage = { ...line.usage, now: Number(now) };
      if (line.granted < line.requests)
        this.#refusals.keep(line.fingerprint, refusal(line), line.minute, Number(patience), askedAt);
      else this.#refusals.forget(line.fingerprint);
    }
  }

  async #run(statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    try {
      return await this.#connection.run(statement, values);
    } catch (error) {
      // No such table, column or function: the schema is not there yet, or another server's.
      if (/^42(P01|703|883)$/.test(sqlState(error) ?? '')) throw unavailable(error);
      throw error;
    }
  }
}

/** `usage` after so many more requests. */
function used(usage: Usage, requests: number): Usage {
  return { ...usage, minuteUsed: usage.minuteUsed + requests, dayUsed: usage.dayUsed + requests };
}

function refusal({ keyId, granted, usage, bannedUntil }: Line): Refused {
  const now = used(usage, granted);
  return bannedUntil > usage.now
    ? { outcome: 'banned', keyId, usage: now, until: bannedUntil }
    : { outcome: 'limited', keyId, usage: now };
}
