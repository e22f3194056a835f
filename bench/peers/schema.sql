-- What the peers keep: the animals, and their keys by SHA-256.
create table pets (
  id bigint generated always as identity primary key,
  name text not null,
  category_id bigint not null,
  status text not null
);
create index on pets (status, id);
create table api_keys (
  hash bytea primary key,
  name text not null
);
