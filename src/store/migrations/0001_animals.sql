-- The animals. The constraints say in SQL what openapi.yaml says of Pet; test/store/constraints.test.ts compares them.
create table pets (
  id bigint generated always as identity,
  name text not null,
  category_id bigint not null,
  status text not null,
  constraint pets_pkey primary key (id),
  constraint pets_name_length check (char_length(name) between 1 and 255),
  constraint pets_status_values check (status in ('available', 'pending', 'sold'))
);

-- Serves a page of one status in the order of id without a sort, however rare the status is.
create index pets_status_id on pets (status, id);
