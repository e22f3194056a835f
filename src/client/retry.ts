/** Sends a request once; `fetch` is one. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * How a call is repeated: a refusal by 429 always; 408, 502, 503, 504 and a lost connection where the method is
 * idempotent (RFC 9110, 9.2.2). `Retry-After` is honoured; a wait that would not end in `time` is not begun, and the
 * reply is handed over as it is.
 */
export interface RetryPolicy {
  /** How often a request is sent at most, the first time included; 4. */
  readonly attempts: number;
  /** Milliseconds for a call as a whole, waits included; 90,000. Past it the call throws a `TimeoutError`. */
  readonly time: number;
  /** Milliseconds that the first wait lasts at most; 250. It doubles each time; the wait is anything below (full jitter). */
  readonly base: number;
  /** Milliseconds that no such wait exceeds; 10,000. */
  readonly cap: number;
  /** Milliseconds that a ban (429 `api_key_banned`) may last to be waited out; 0: none is. */
  readonly ban: number;
  /** Whether 5xx and a lost connection also repeat a request that may then be done twice, such as a create; false. */
  readonly twice: boolean;
}

export const defaultRetry: RetryPolicy = { attempts: 4, time: 90_000, base: 250, cap: 10_000, ban: 0, twice: false };

/** A reply whose body has arrived. */
export interface Whole {
  readonly response: Response;
  readonly text: string;
}

const idempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const passing = [408, 502, 503, 504];

/** The longest that a timer runs, milliseconds: above it, it fires at once. */
const longest = 2 ** 31 - 1;

/**
 * Sends `request`, again where `policy` says so, and reads the reply to its end: a connection that breaks half way
 * counts as lost. Throws what `fetch` threw last, the reason of the request's signal as soon as that is aborted, or a
 * `DOMException` named `TimeoutError`.
 */
export async function send(fetch: Fetch, request: Request, policy: RetryPolicy): Promise<Whole> {
  const time = Math.min(policy.time, longest);
  const end = performance.now() + time;
  const cancel = new AbortController();
  const { signal } = cancel;
  const follow = () => cancel.abort(request.signal.reason);
  if (request.signal.aborted) follow();
  request.signal.addEventListener('abort', follow);
  const timer = setTimeout(
    () => cancel.abort(new DOMException(`There was no answer within ${time} ms.`, 'TimeoutError')),
    time,
  );
  try {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const outcome = await once(fetch, new Request(request.clone(), { signal }));
      signal.throwIfAborted();
      const wait = attempt < policy.attempts ? pause(request.method, outcome, attempt, policy) : null;
      if (wait === null || performance.now() + wait >= end) {
        if ('lost' in outcome) throw outcome.lost;
        return outcome;
      }
      await sleep(wait, signal);
    }
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', follow);
  }
}

async function once(fetch: Fetch, request: Request): Promise<Whole | { readonly lost: unknown }> {
  try {
    const response = await fetch(request);
    return { response, text: await response.text() };
  } catch (lost) {
    return { lost };
  }
}

/** Milliseconds to wait before the next attempt; null where there should be none. */
function pause(
  method: string,
  outcome: Whole | { readonly lost: unknown },
  attempt: number,
  policy: RetryPolicy,
): number | null {
  const jitter = Math.random() * Math.min(policy.cap, policy.base * 2 ** (attempt - 1));
  const repeatable = policy.twice || idempotent.includes(method);
  if ('lost' in outcome) return repeatable ? jitter : null;
  const { status, headers } = outcome.response;
  if (status !== 429 && !(repeatable && passing.includes(status))) return null;
  const asked = retryAfter(headers);
  if (status === 429 && isBan(outcome.text) && (asked === null || asked > policy.ban)) return null;
  // On top, so that all who were told the same moment do not come back at once.
  return (asked ?? 0) + jitter;
}

/** `Retry-After` in milliseconds from now, given as seconds or as a date (RFC 9110, 10.2.3); null where it says neither. */
export function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  // By the server's own clock, where it may be read; ours can be wrong.
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(at) ? null : Math.max(0, at - (Number.isNaN(date) ? Date.now() : date));
}

function isBan(text: string): boolean {
  try {
    return Reflect.get(Object(JSON.parse(text)), 'code') === 'api_key_banned';
  } catch {
    return false;
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', wake);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', wake, { once: true });
  });
}
