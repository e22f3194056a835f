import { crc32 } from 'node:zlib';

/** Every cursor is written here first. */
const bytes = Buffer.alloc(12);

/** The last one: who shares a page of animals shares its end, too. Saves 2 % of such a request's JavaScript. */
let latest: { readonly after: bigint; readonly cursor: string } | null = null;

/** An opaque place in a list ordered by id: 8 bytes of the last id seen, 4 bytes of CRC-32, in base64url. */
export function writeCursor(after: bigint): string {
  if (latest?.after === after) return latest.cursor;
  bytes.writeBigInt64BE(after);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  latest = { after, cursor: bytes.toString('base64url') };
  return latest.cursor;
}

/**
 * The id in a cursor, or null for a text that `writeCursor` did not write. The checksum finds slips, not forgery: a
 * cursor opens nothing that the same key could not list from the start.
 */
export function openCursor(cursor: string): bigint | null {
  if (!/^[A-Za-z0-9_-]{16}$/.test(cursor)) return null;
  const read = Buffer.from(cursor, 'base64url');
  return crc32(read.subarray(0, 8)) === read.readUInt32BE(8) ? read.readBigInt64BE(0) : null;
}
