-- The service's clock. A function of its own, so that a test can move time in its own database.
create function service_now() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- A project owns a plan and what is used of it. Plans and their numbers are openapi.yaml's, so no constraint lists them.
create table projects (
  id text not null,
  name text,
  plan text not null,
  -- Only where the plan says "custom".
  per_minute integer,
  per_day integer,
  -- The windows that the counts belong to: whole minutes and whole days since the Unix epoch, UTC.
  minute bigint not null default 0,
  minute_used integer not null default 0,
  day bigint not null default 0,
  day_used integer not null default 0,
  created_at timestamptz not null default service_now(),
  constraint projects_pkey primary key (id),
  constraint projects_custom_quota check (
    (per_minute is null) = (per_day is null)
    and per_minute between 1 and 1000000000
    and per_day between 1 and 1000000000
  )
  -- Counted on every request: room on the page and no index on the counts keep these updates in place (HOT).
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

create table api_keys (
  id text not null,
  project_id text not null,
  name text,
  -- SHA-256 of the key, which itself is stored nowhere.
  fingerprint bytea not null,
  created_at timestamptz not null default service_now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Rejections in a minute (since the Unix epoch), which lead to a ban.
  denied_minute bigint not null default 0,
  denied integer not null default 0,
  -- How many bans came before, less those forgiven; and the end of the last one, past or to come.
  ban_level integer not null default 0,
  banned_until timestamptz,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_project_id_fkey foreign key (project_id) references projects (id),
  constraint api_keys_fingerprint_key unique (fingerprint),
  constraint api_keys_fingerprint_length check (octet_length(fingerprint) = 32)
) with (fillfactor = 70);

create index api_keys_project_id on api_keys (project_id);
