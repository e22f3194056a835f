-- An animal as openapi.yaml has it, printed once, when it is stored: to print it for every reader took half of
-- PostgreSQL's work for a long list. Every function here is immutable; json_object stands for to_json, which is not.
alter table pets add column json text not null generated always as (
  '{"id":' || id::text
  || ',"name":' || rtrim(right(json_object(array['n', name])::text, -length('{"n" : ')), '}')
  || ',"categoryId":' || category_id::text
  || ',"status":"' || status || '"}'
) stored;
