import type { Problem, Reply } from './judge.ts';

/** What a request shows of a key: the valid one, one that nobody was given, something that is none, another scheme, nothing. */
export type Credential = 'valid' | 'unknown' | 'malformed' | 'basic' | 'none';

export interface Request {
  readonly method: string;
  /** Path and query, as they go over the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly credential: Credential;
}

/** One request, and what the document lets it be answered with. */
export interface Case {
  /** The operationId, or `paths and methods` where no operation is asked. */
  readonly group: string;
  readonly name: string;
  readonly request: Request;
  readonly statuses: readonly number[];
  /** Why these: what the document says. */
  readonly document: string;
  /** What else must hold of an expected reply, its body exact. */
  readonly holds?: (reply: Reply, body: unknown) => readonly Problem[];
  /** What an expected reply leads to. */
  readonly next?: (reply: Reply, body: unknown) => readonly Case[];
}

/** The group of the cases that no operation answers. */
export const elsewhere = 'paths and methods';
