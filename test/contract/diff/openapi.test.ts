import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { diff } from './build.ts';

const text = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
const published: unknown = parse(text);

/** The document after an edit, made in memory; an edit that meets nothing would prove nothing. */
function edited(from: string | RegExp, to: string): unknown {
  const after = text.replace(from, to);
  expect(after).not.toBe(text);
  return parse(after);
}

const seen = (newer: unknown): string[] =>
  diff(published, newer).map(
    ({ severity, rule, operation, place }) => `${severity} ${rule}, ${operation ?? 'document'}, ${place}`,
  );

test('our own document against itself', () => {
  expect(diff(published, parse(text))).toEqual([]);
});

// These fail when the gate stops understanding the document that it is there for.
describe('our own document, edited', () => {
  test('a page bound lowered', () => {
    expect(seen(edited('maximum: 100', 'maximum: 50'))).toEqual([
      'breaking maximum-lowered, GET /pets (listPets), query parameter limit',
    ]);
  });

  test('a default changed', () => {
    expect(seen(edited('default: 20', 'default: 50'))).toEqual([
      'breaking default-changed, GET /pets (listPets), query parameter limit',
    ]);
  });

  test('a quota lowered, another raised', () => {
    expect(seen(edited('perMinute: 60\n      perDay: 1000', 'perMinute: 30\n      perDay: 2000'))).toEqual([
      'breaking quota-lowered, document, x-rate-limits /plans/free/perMinute',
      'harmless quota-raised, document, x-rate-limits /plans/free/perDay',
    ]);
  });

  test('a plan removed', () => {
    expect(seen(edited(/ {4}business:\n.*\n.*\n/, ''))).toEqual([
      'breaking plan-removed, document, x-rate-limits /plans/business',
    ]);
  });

  test('an earlier sunset', () => {
    expect(seen(edited("x-sunset: '2030-12-05'", "x-sunset: '2027-03-01'"))).toEqual([
      'breaking sunset-brought-near, GET /pets/{petId} (getPet), operation /x-sunset',
    ]);
  });

  test('an error code removed is told wherever errors are', () => {
    const places = seen(edited(/ {12}- api_key_banned\n/, ''));
    expect(places).toContain(
      'breaking known-value-removed, POST /pets (createPet), response 429 application/json /properties/code',
    );
    expect(places.every((place) => place.startsWith('breaking known-value-removed, '))).toBe(true);
  });

  test('an error code added', () => {
    expect(
      new Set(
        seen(edited('- not_found\n', '- not_found\n            - not_yet\n')).map((place) => place.split(',')[0]),
      ),
    ).toEqual(new Set(['harmless known-value-added']));
  });

  test('a value of the status removed breaks who asks by it and who sends it, not who reads it', () => {
    expect(seen(edited(/( {4}PetStatus:[\s\S]*?)( {8}- pending\n)/, '$1'))).toEqual([
      'breaking enum-value-removed, GET /pets (listPets), query parameter status',
      'harmless enum-value-removed, GET /pets (listPets), response 200 application/json /items/properties/status',
      'breaking enum-value-removed, POST /pets (createPet), request body application/json /properties/status',
      'harmless enum-value-removed, POST /pets (createPet), response 201 application/json /properties/status',
      'harmless enum-value-removed, GET /pets/{petId} (getPet), response 200 application/json /properties/status',
    ]);
  });

  test('a header that is no longer promised', () => {
    const places = seen(edited(/( {4}RateLimitReset:\n) {6}required: true\n/, '$1'));
    expect(places).toContain(
      'breaking header-became-optional, GET /pets (listPets), response 200 header X-RateLimit-Reset',
    );
  });

  test('another base path', () => {
    expect(seen(edited(/\}\/v1'/g, "}/v2'"))).toContain('breaking base-path-removed, document, servers');
  });

  test('an optional query parameter added', () => {
    const parameter = '        - name: name\n          in: query\n          schema:\n            type: string\n';
    expect(seen(edited(/ {8}- name: cursor\n/, `${parameter}$&`))).toEqual([
      'harmless optional-parameter-added, GET /pets (listPets), query parameter name',
    ]);
  });

  test('a component renamed', () => {
    expect(
      seen(
        parse(
          text.replaceAll('schemas/PetStatus', 'schemas/Availability').replace('    PetStatus:', '    Availability:'),
        ),
      ),
    ).toEqual([]);
  });
});
