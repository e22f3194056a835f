import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCursor, writeCursor } from '../src/cursor.ts';
import { int64 } from '../src/json.ts';

test('a cursor opens to the id that it was written for', () => {
  fc.assert(fc.property(fc.bigInt(int64), (id) => void expect(openCursor(writeCursor(id))).toBe(id)));
  for (const id of [int64.min, -1n, 0n, 1n, int64.max]) expect(openCursor(writeCursor(id))).toBe(id);
});

test('it needs no escaping in an address', () => {
  fc.assert(fc.property(fc.bigInt(int64), (id) => void expect(writeCursor(id)).toMatch(/^[A-Za-z0-9_-]{16}$/)));
});

test.each([
  '',
  'x',
  '1',
  writeCursor(5n).slice(1),
  `${writeCursor(5n)}A`,
  `${writeCursor(5n)}=`,
  ` ${writeCursor(5n)}`,
  '----------------',
  '\0'.repeat(16),
])('%j is no cursor', (text) => {
  expect(openCursor(text)).toBeNull();
});

test('a slip in any of its letters is found', () => {
  const cursor = writeCursor(123_456_789n);
  for (let index = 0; index < cursor.length; index++)
    expect(
      openCursor(cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1)),
      `at ${index}`,
    ).toBeNull();
});
