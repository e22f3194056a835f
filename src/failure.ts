/**
 * Every error code that the service answers; `Error.code` in openapi.yaml lists the same, and boot compares the two.
 * `not_implemented` need only be listed where an operation is `x-not-implemented`.
 */
export const codes = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'operation_removed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limit_exceeded',
  'api_key_banned',
  'headers_too_large',
  'internal_error',
  'not_implemented',
  'service_unavailable',
] as const;

export type FailureCode = (typeof codes)[number];

/**
 * An answer other than success. `code` and `message` are for the caller and are sent; `cause` is for the log and never
 * leaves the process.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** Seconds until a retry can succeed; only for codes that carry `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(code: FailureCode, message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/** 503: the database is away or overloaded. One second is the pace at which lost connections are opened again. */
export function unavailable(cause: unknown): Failure {
  return new Failure('service_unavailable', 'The service cannot answer right now. Retry after 1 second.', {
    cause,
    retryAfter: 1,
  });
}
