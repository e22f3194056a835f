/** What a project has used of its quotas, this request included if it was let in. */
export interface Usage {
  readonly perMinute: number;
  readonly perDay: number;
  readonly minuteUsed: number;
  readonly dayUsed: number;
  /** When the windows reset, Unix milliseconds. */
  readonly minuteEnd: number;
  readonly dayEnd: number;
  /** The database's clock at the verdict, Unix milliseconds. */
  readonly now: number;
}

/** What admission says of one request. */
export type Verdict =
  | { readonly outcome: 'admitted'; readonly keyId: string; readonly usage: Usage }
  | { readonly outcome: 'limited'; readonly keyId: string; readonly usage: Usage }
  | { readonly outcome: 'banned'; readonly keyId: string; readonly usage: Usage; readonly until: number }
  /** No such key, or it is revoked or expired. */
  | { readonly outcome: 'unknown' };

/** A verdict that lets nobody in. */
export type Refused = Extract<Verdict, { outcome: 'limited' | 'banned' }>;

/** When the exhausted window resets, Unix milliseconds: the day where both are used up. */
export function windowEnd(usage: Usage): number {
  return usage.dayUsed >= usage.perDay ? usage.dayEnd : usage.minuteEnd;
}
