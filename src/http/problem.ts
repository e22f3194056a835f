import { bodyLimit, headerLimit } from '../contract/limits.ts';
import { Failure, type FailureCode } from '../failure.ts';
import { type JsonText, printJson } from '../json.ts';

/** The one table from error code to HTTP status. */
export const statusOf: Readonly<Record<FailureCode, number>> = {
  invalid_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  operation_removed: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  api_key_banned: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  service_unavailable: 503,
};

const quiet = 'Something went wrong on our side. Quote the X-Request-Id of this response when you report it.';

/** The body of every error: exactly `code`, `message` and `status`. */
export function problemText({ code, message }: Failure): JsonText<{ code: string; message: string; status: number }> {
  // It may quote what the caller sent, cut anywhere; what we would not take we do not send.
  return printJson({ code, message: message.toWellFormed().replaceAll('\0', '\ufffd'), status: statusOf[code] });
}

/** Anything thrown on the way of a request, as the failure that its caller is told. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  switch (errorCode(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure('payload_too_large', `The body is larger than ${bodyLimit} bytes, the most that is accepted.`);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Failure('invalid_request', 'The body is not as long as Content-Length says.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Failure('request_timeout', 'The request did not arrive completely in time. Send it again.');
    case 'HPE_HEADER_OVERFLOW':
      return new Failure(
        'headers_too_large',
        `The request's headers are larger than ${headerLimit} bytes, the most that is accepted.`,
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Failure('payload_too_large', 'The chunk extensions of the body are longer than what is accepted.');
    case 'FST_ERR_BAD_URL':
      return new Failure(
        'invalid_request',
        'The address is not a valid URI; behind a percent sign stand two hexadecimal digits, in UTF-8.',
      );
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new Failure('invalid_request', 'The request ended before its body did.', { cause: error });
  }
  if (errorCode(error).startsWith('HPE_'))
    return new Failure('invalid_request', 'The request is no HTTP/1.1 that is understood here.', { cause: error });
  return new Failure('internal_error', quiet, { cause: error });
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
