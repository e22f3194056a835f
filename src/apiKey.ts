import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32; // 62^32 is about 190 bits; NIST SP 800-63B asks 112 of a secret that is only hashed
const form = /^ast_live_[0-9A-Za-z]{38}$/;

/** A SHA-256 digest in hexadecimal: all that is ever stored of a key. */
export type Fingerprint = string & { readonly brand: 'Fingerprint' };

/** A new API key: `ast_live_`, 32 random base62 digits, and 6 base62 digits of the CRC-32 over all before them. */
export function mint(): { readonly key: string; readonly fingerprint: Fingerprint } {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join('');
  const body = `ast_live_${random}`;
  const key = body + checksum(body);
  return { key, fingerprint: digest(key) };
}

/**
 * The fingerprint of `key`, or null when it cannot be one of ours (wrong form or checksum), so that a mistyped key
 * costs no look-up.
 */
export function fingerprint(key: string): Fingerprint | null {
  if (!form.test(key) || checksum(key.slice(0, -6)) !== key.slice(-6)) return null;
  return digest(key);
}

function digest(key: string): Fingerprint {
  // The one place where a Fingerprint is made; the brand keeps plain keys from being passed for one.
  return hash('sha256', key, 'hex') as Fingerprint;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = digits[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
