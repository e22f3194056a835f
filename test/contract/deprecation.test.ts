import { describe, expect, test } from 'vitest';
import { type Edit, list, one, problems, readEdited } from './edited.ts';

test('an operation that is not deprecated has no end', () => {
  expect(readEdited().operations.get('listPets')?.deprecation).toBeNull();
});

test('the days are their first instants in UTC', () => {
  const contract = readEdited([[...one, 'x-deprecated-at'], '2024-02-29'], [[...one, 'x-sunset'], '2031-01-01']);
  expect(contract.operations.get('getPet')?.deprecation).toEqual({
    since: Date.UTC(2024, 1, 29) / 1000,
    sunset: Date.UTC(2031, 0, 1) / 1000,
    sunsetDay: '2031-01-01',
    replacedBy: 'listPets',
  });
});

describe('refuses', () => {
  const extensions = ['x-deprecated-at', 'x-sunset', 'x-replaced-by'];
  test.each<[string, Edit, string[]]>([
    ...extensions.map((name): [string, Edit, string[]] => [
      `deprecated: true without ${name}`,
      [[...one, name], undefined],
      [`needs ${name}`],
    ]),
    [
      'the extensions without deprecated: true',
      [[...one, 'deprecated'], undefined],
      extensions.map((name) => `${name} without deprecated: true`),
    ],
    [
      'the extensions with deprecated: false',
      [[...one, 'deprecated'], false],
      extensions.map((name) => `${name} without deprecated: true`),
    ],
    ['a day that does not exist', [[...one, 'x-sunset'], '2030-02-30'], ['needs x-sunset']],
    ['a month that does not exist', [[...one, 'x-deprecated-at'], '2026-13-01'], ['needs x-deprecated-at']],
    ['an instant for a day', [[...one, 'x-sunset'], '2030-12-05T00:00:00Z'], ['needs x-sunset']],
    ['a number for a day', [[...one, 'x-sunset'], 20301205], ['needs x-sunset']],
    ['an end before the beginning', [[...one, 'x-sunset'], '2026-11-19'], ['x-sunset lies before x-deprecated-at']],
    ['a replacement that does not exist', [[...one, 'x-replaced-by'], 'findPets'], ['needs x-replaced-by']],
    ['itself as the replacement', [[...one, 'x-replaced-by'], 'getPet'], ['x-replaced-by names the operation itself']],
  ])('%s', (_, edit, refusals) => {
    expect(problems(edit)).toEqual(
      refusals.map((text) =>
        expect.stringContaining(`getPet: ${text.startsWith('needs') ? 'deprecated: true ' : ''}${text}`),
      ),
    );
  });

  test('deprecated: true alone, whose responses then lack their headers too', () => {
    expect(problems([[...list, 'deprecated'], true])).toEqual(
      expect.arrayContaining([expect.stringContaining("listPets: deprecated: true needs x-sunset: 'YYYY-MM-DD'")]),
    );
  });
});
