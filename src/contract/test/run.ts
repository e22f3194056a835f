import type { Case, Request } from './case.ts';
import type { Judge, Problem, Reply } from './judge.ts';

/** Whose quota a request spends. */
export type Payer = 'key' | 'address';

/** A case, and what came of it. */
export interface Outcome {
  readonly case: Case;
  /** Null where none came, or the request was not sent. */
  readonly reply: Reply | null;
  readonly problems: readonly Problem[];
  /** Why the request was not sent, or not again after a 429; null where it was answered. */
  readonly notSent: string | null;
  readonly milliseconds: number;
}

export interface RunOptions {
  readonly judge: Judge;
  readonly cases: Iterable<Case>;
  /** Sends a request; rejects where no reply comes. */
  readonly send: (request: Request) => Promise<Reply>;
  /** Requests that are sent at most, those that follow from replies included. */
  readonly requests?: number;
  /** Waits; called with the seconds of a `Retry-After` that is short enough. */
  readonly wait: (seconds: number, payer: Payer) => Promise<void>;
  /** A longer `Retry-After` is not waited for, seconds; a minute's quota is back within 60. */
  readonly longestWait?: number;
}

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** "operationId status mediaType" of every reply that an operation gave; "no body" where it has none. */
  readonly seen: ReadonlySet<string>;
}

/** How often a request is sent again after a 429. */
const attempts = 3;

/**
 * Sends the cases one after the other, and judges each reply: as a whole, and as the case expects it. After a 429 it
 * waits as long as `Retry-After` says and sends again; where that is too long, what the same payer would have to pay
 * for is not sent any more.
 */
export async function runCases({
  judge,
  cases,
  send,
  requests = Number.POSITIVE_INFINITY,
  wait,
  longestWait = 61,
}: RunOptions): Promise<Run> {
  const outcomes: Outcome[] = [];
  const seen = new Set<string>();
  const exhausted = new Map<Payer, string>();
  let sent = 0;

  async function answer(one: Case): Promise<Outcome & { readonly body?: unknown }> {
    const { method, target } = one.request;
    const payer = payerOf(judge, one.request);
    const start = performance.now();
    const outcome = (reply: Reply | null, problems: readonly Problem[], notSent: string | null = null) => ({
      case: one,
      reply,
      problems,
      notSent,
      milliseconds: performance.now() - start,
    });
    for (let attempt = 1; ; attempt++) {
      const known = exhausted.get(payer);
      if (known !== undefined) return outcome(null, [], known);
      sent++;
      let reply: Reply;
      try {
        reply = await send(one.request);
      } catch (error) {
        const found = `no reply: ${error instanceof Error ? error.message : String(error)}`;
        return outcome(null, [{ found, document: `${one.statuses.join(' or ')}: ${one.document}` }]);
      }
      const { problems, body } = judge.judge(method, target, reply);
      const operation = judge.operationOf(method, target);
      const type = reply.headers.get('content-type')?.split(';')[0]?.trim();
      if (operation !== null && method !== 'HEAD')
        seen.add(`${operation.id} ${reply.status} ${reply.text === '' ? 'no body' : type}`);
      if (reply.status !== 429 || one.statuses.includes(429)) {
        const expected = one.statuses.includes(reply.status);
        const unexpected = expected
          ? []
          : [
              {
                found: `status ${reply.status}`,
                document: `${one.statuses.join(' or ')} is expected: ${one.document}`,
              },
            ];
        const broken = expected ? (one.holds?.(reply, body) ?? []) : [];
        return { ...outcome(reply, [...unexpected, ...problems, ...broken]), body };
      }
      const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
      if (problems.length > 0) return outcome(reply, problems);
      if (!(seconds <= longestWait) || attempt > attempts) {
        const whose = payer === 'key' ? 'the key' : 'this address, for requests without a valid key,';
        exhausted.set(payer, `the quota of ${whose} is used up: 429, Retry-After: ${seconds} seconds`);
        continue;
      }
      await wait(seconds, payer);
    }
  }

  async function follow(one: Case): Promise<void> {
    if (sent >= requests) return;
    const { body, ...outcome } = await answer(one);
    outcomes.push(outcome);
    const { reply } = outcome;
    if (reply === null || !one.statuses.includes(reply.status)) return;
    for (const following of one.next?.(reply, body) ?? []) await follow(following);
  }

  for (const one of cases) {
    if (sent >= requests) break;
    await follow(one);
  }
  return { outcomes, seen };
}

/** A valid key pays for what reaches an operation, the address for all else. */
function payerOf(judge: Judge, { method, target, credential }: Request): Payer {
  return credential === 'valid' && judge.operationOf(method, target) !== null ? 'key' : 'address';
}

/** `count` of `cases`, chosen by `random`, in their order. */
export function chooseCases(cases: readonly Case[], count: number, random: () => number): Case[] {
  const numbers = cases.map((_, index) => ({ index, lot: random() })).sort((a, b) => a.lot - b.lot);
  const chosen = new Set(numbers.slice(0, count).map(({ index }) => index));
  return cases.filter((_, index) => chosen.has(index));
}

/** Numbers in [0, 1), the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
