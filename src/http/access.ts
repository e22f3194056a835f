import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Fingerprint, fingerprint } from '../apiKey.ts';
import { Failure } from '../failure.ts';

const realm = 'Bearer realm="animal-store"';

/** What a request's `Authorization` header presents. */
export type Presented =
  | { readonly kind: 'key'; readonly fingerprint: Fingerprint }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' };

/**
 * The header that a connection sent last, and what it presented. Most connections carry one key all their life, and to
 * read it anew takes 4 % of a request. Only what it says: whether the key is valid is asked for every request.
 */
const latest = new WeakMap<Socket, { readonly authorization: string; readonly presented: Presented }>();

/** Reads the bearer key (RFC 6750, section 2.1; the scheme in any case). A key in the address or the body is none. */
export function presentedKey({ headers: { authorization = '' }, socket }: IncomingMessage): Presented {
  const known = latest.get(socket);
  if (known?.authorization === authorization) return known.presented;
  const presented = read(authorization);
  latest.set(socket, { authorization, presented });
  return presented;
}

function read(authorization: string): Presented {
  const [, key] = /^bearer +(.+)$/i.exec(authorization) ?? [];
  if (key === undefined) return { kind: 'none' };
  const print = fingerprint(key);
  return print === null ? { kind: 'malformed' } : { kind: 'key', fingerprint: print };
}

export function missingKey(): Failure {
  return new Failure('missing_api_key', 'Send your API key as "Authorization: Bearer <API_KEY>".');
}

export function invalidKey(): Failure {
  return new Failure('invalid_api_key', 'This API key is not valid: it is unknown, malformed, revoked or expired.');
}

/** `WWW-Authenticate` (RFC 6750, section 3.1): no error code where no key was presented. Null for other failures. */
export function challenge({ code }: Failure): string | null {
  if (code === 'missing_api_key') return realm;
  return code === 'invalid_api_key' ? `${realm}, error="invalid_token"` : null;
}
