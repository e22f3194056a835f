import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { fingerprint, mint } from '../src/apiKey.ts';

test('a key is ast_live_, 32 random letters and digits, and 6 of checksum', () => {
  expect(mint().key).toMatch(/^ast_live_[0-9A-Za-z]{38}$/);
});

test('the checksum is the CRC-32 of all before it, in base62', () => {
  const { key } = mint();
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
  expect(value).toBe(crc32(key.slice(0, -6)));
});

test('no key comes twice, and every digit occurs', () => {
  const keys = Array.from({ length: 1_000 }, () => mint().key);
  expect(new Set(keys).size).toBe(1_000);
  expect(new Set(keys.flatMap((key) => [...key.slice(9, -6)])).size).toBe(62);
});

test('the fingerprint is the SHA-256 of the whole key', () => {
  const minted = mint();
  expect(minted.fingerprint).toBe(createHash('sha256').update(minted.key).digest('hex'));
  expect(fingerprint(minted.key)).toBe(minted.fingerprint);
});

const { key } = mint();
test.each([
  ['', ''],
  ['another prefix', key.replace('live', 'test')],
  ['small letters', key.replace(/[A-Z]/g, (letter) => letter.toLowerCase())],
  ['one digit less', key.slice(0, -1)],
  ['one digit more', `${key}0`],
  ['a blank before', ` ${key}`],
  ['a blank behind', `${key} `],
  ['a line break behind', `${key}\n`],
  ['letters that are not ASCII', `ast_live_${'é'.repeat(38)}`],
])('a text is no key: %s', (_, text) => {
  expect(fingerprint(text)).toBeNull();
});

test('one wrong digit, wherever it is, makes it no key', () => {
  for (let index = 9; index < key.length; index++)
    expect(
      fingerprint(key.slice(0, index) + (key[index] === 'a' ? 'b' : 'a') + key.slice(index + 1)),
      `at ${index}`,
    ).toBeNull();
});
