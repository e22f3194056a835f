import type { Fingerprint } from '../apiKey.ts';
import { type Refused, windowEnd } from './verdict.ts';

/** Milliseconds that a refusal may be answered from memory: an unban or a new plan is felt within a second. */
const held = 800;

/** Milliseconds between requests of a key that floods. One that asks more slowly feels a new plan or an unban at once. */
const flood = 20;

/** Refusals held at once; past that the oldest is forgotten, which costs one question to PostgreSQL. */
const most = 10_000;

/** A refusal that cannot change before `until`, and how often it was given since. */
interface Refusal {
  readonly verdict: Refused;
  /** Monotonic milliseconds. */
  readonly until: number;
  /** The minute it belongs to, since the Unix epoch. */
  readonly minute: string;
  /** How many more rejections make a ban; the one that does is PostgreSQL's to pronounce. */
  readonly patience: number;
  given: number;
  /** When it was asked for last, monotonic milliseconds. */
  last: number;
}

/**
 * Refusals that cannot change for a moment: a key that floods is answered from here and costs PostgreSQL one question
 * every 0.8 seconds, and one more when it has earned a ban. Never a word that lets a request in.
 */
export class Refusals {
  readonly #refusals = new Map<Fingerprint, Refusal>();

  /** The refusal to give to one more request, or null when PostgreSQL is to be asked. */
  repeat(fingerprint: Fingerprint): Refused | null {
    const refusal = this.#refusals.get(fingerprint);
    if (refusal === undefined) return null;
    const now = performance.now();
    const isFlood = now - refusal.last < flood;
    refusal.last = now;
    if (!isFlood || now >= refusal.until || refusal.given + 1 >= refusal.patience) return null;
    refusal.given++;
    return refusal.verdict;
  }

  /** Whether the key was refused when it asked last. */
  has(fingerprint: Fingerprint): boolean {
    return this.#refusals.has(fingerprint);
  }

  /** How many refusals were given that nobody has counted yet, if they belong to `minute`; from now on they are. */
  take(fingerprint: Fingerprint, minute: string): number {
    const refusal = this.#refusals.get(fingerprint);
    if (refusal === undefined) return 0;
    const { given } = refusal;
    refusal.given = 0;
    return refusal.minute === minute && refusal.verdict.outcome === 'limited' ? given : 0;
  }

  /** Forgets the refusal of a key that was let in again. */
  forget(fingerprint: Fingerprint): void {
    this.#refusals.delete(fingerprint);
  }

  /** Keeps a refusal that PostgreSQL gave to a question of the monotonic time `askedAt`. */
  keep(fingerprint: Fingerprint, verdict: Refused, minute: string, patience: number, askedAt: number): void {
    const change = verdict.outcome === 'banned' ? verdict.until : windowEnd(verdict.usage);
    const until = askedAt + Math.min(held, change - verdict.usage.now);
    // Those given while the question was under way are for the next one to report.
    const given = this.#refusals.get(fingerprint)?.given ?? 0;
    this.#refusals.delete(fingerprint);
    this.#refusals.set(fingerprint, {
      verdict,
      until,
      minute,
      patience: verdict.outcome === 'banned' ? Infinity : patience,
      given,
      last: performance.now(),
    });
    if (this.#refusals.size > most) {
      const [oldest] = this.#refusals.keys();
      if (oldest !== undefined) this.#refusals.delete(oldest);
    }
  }
}
