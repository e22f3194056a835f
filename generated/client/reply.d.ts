// Printed from src/client by npm run generate. Not for editing.

import type { Success } from './operation.js';
/** An error that the document describes, thrown: by `unwrap`, and by a walk over pages. */
export declare class ApiError extends Error {
    readonly name = "ApiError";
    /** To decide by; new ones may appear. */
    readonly code: string;
    readonly status: number;
    /** Finds the request in the service's log. */
    readonly requestId: string | null;
    readonly response: Response;
    constructor(error: {
        readonly code: string;
        readonly message: string;
        readonly status: number;
    }, response: Response);
}
/** A reply that the document does not describe: from something in between, or from a server of another document. */
export declare class UnexpectedReply extends Error {
    readonly name = "UnexpectedReply";
    readonly response: Response;
    readonly text: string;
    constructor(operation: string, response: Response, text: string);
}
/** The body of a success. Throws `ApiError` for any other reply. */
export declare function unwrap<R extends {
    readonly ok: boolean;
    readonly body: unknown;
    readonly response: Response;
}>(reply: R): Success<R>;
