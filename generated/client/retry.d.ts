// Printed from src/client by npm run generate. Not for editing.

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
export declare const defaultRetry: RetryPolicy;
/** A reply whose body has arrived. */
export interface Whole {
    readonly response: Response;
    readonly text: string;
}
/**
 * Sends `request`, again where `policy` says so, and reads the reply to its end: a connection that breaks half way
 * counts as lost. Throws what `fetch` threw last, the reason of the request's signal as soon as that is aborted, or a
 * `DOMException` named `TimeoutError`.
 */
export declare function send(fetch: Fetch, request: Request, policy: RetryPolicy): Promise<Whole>;
/** `Retry-After` in milliseconds from now, given as seconds or as a date (RFC 9110, 10.2.3); null where it says neither. */
export declare function retryAfter(headers: Headers): number | null;
