// Printed from src/client by npm run generate. Not for editing.

/** An error that the document describes, thrown: by `unwrap`, and by a walk over pages. */
export class ApiError extends Error {
    name = 'ApiError';
    /** To decide by; new ones may appear. */
    code;
    status;
    /** Finds the request in the service's log. */
    requestId;
    response;
    constructor(error, response) {
        super(`${error.status} ${error.code}: ${error.message}`);
        this.code = error.code;
        this.status = error.status;
        this.requestId = response.headers.get('x-request-id');
        this.response = response;
    }
}
/** A reply that the document does not describe: from something in between, or from a server of another document. */
export class UnexpectedReply extends Error {
    name = 'UnexpectedReply';
    response;
    text;
    constructor(operation, response, text) {
        const what = response.type === 'opaqueredirect'
            ? 'a redirect, which is not followed'
            : `${response.status} ${text.slice(0, 200)}`;
        super(`${operation} got a reply that its document does not describe: ${what}`);
        this.response = response;
        this.text = text;
    }
}
/** The body of a success. Throws `ApiError` for any other reply. */
export function unwrap(reply) {
    // Both follow from `ok`, which TypeScript does not narrow a type parameter by.
    if (reply.ok)
        return reply.body;
    throw new ApiError(reply.body, reply.response);
}
