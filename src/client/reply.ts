import type { Success } from './operation.ts';

/** An error that the document describes, thrown: by `unwrap`, and by a walk over pages. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** To decide by; new ones may appear. */
  readonly code: string;
  readonly status: number;
  /** Finds the request in the service's log. */
  readonly requestId: string | null;
  readonly response: Response;

  constructor(error: { readonly code: string; readonly message: string; readonly status: number }, response: Response) {
    super(`${error.status} ${error.code}: ${error.message}`);
    this.code = error.code;
    this.status = error.status;
    this.requestId = response.headers.get('x-request-id');
    this.response = response;
  }
}

/** A reply that the document does not describe: from something in between, or from a server of another document. */
export class UnexpectedReply extends Error {
  override readonly name = 'UnexpectedReply';
  readonly response: Response;
  readonly text: string;

  constructor(operation: string, response: Response, text: string) {
    const what =
      response.type === 'opaqueredirect'
        ? 'a redirect, which is not followed'
        : `${response.status} ${text.slice(0, 200)}`;
    super(`${operation} got a reply that its document does not describe: ${what}`);
    this.response = response;
    this.text = text;
  }
}

/** The body of a success. Throws `ApiError` for any other reply. */
export function unwrap<R extends { readonly ok: boolean; readonly body: unknown; readonly response: Response }>(
  reply: R,
): Success<R> {
  // Both follow from `ok`, which TypeScript does not narrow a type parameter by.
  if (reply.ok) return reply.body as Success<R>;
  throw new ApiError(reply.body as ConstructorParameters<typeof ApiError>[0], reply.response);
}
