// Printed from src/client by npm run generate. Not for editing.

import { type Client as Http } from 'openapi-fetch';
import type { components, paths } from '../openapi.js';
import { type Deprecation } from './deprecation.js';
import type { Call, CallOptions, Documented, PagedId, Walk } from './operation.js';
import { type Fetch, type RetryPolicy } from './retry.js';
export type { Deprecation } from './deprecation.js';
export type { CallOptions, Input, OperationId, Reply } from './operation.js';
export { ApiError, UnexpectedReply, unwrap } from './reply.js';
export type { Fetch, RetryPolicy } from './retry.js';
/** The document's schemas: `Schemas['Pet']`. */
export type Schemas = components['schemas'];
/** Names the exact document that this client was printed from. */
export declare const contractHash: string;
export interface ClientOptions {
    /** Where the service lives, absolute: `https://api.animal-store.example`. */
    readonly baseUrl: string;
    /** The API key. It is sent to the origin of `baseUrl` and nowhere else; redirects are not followed. */
    readonly key: string;
    /** What differs from `RetryPolicy`'s defaults; false sends once. */
    readonly retry?: Partial<RetryPolicy> | false;
    /** Called once for each operation whose reply says that it is deprecated or removed. */
    readonly onDeprecation?: (deprecation: Deprecation) => void;
    /** In place of `globalThis.fetch`. */
    readonly fetch?: Fetch;
}
/** What `checkContract` found. */
export interface ContractCheck {
    readonly same: boolean;
    /** The hash of the document that this client was printed from. */
    readonly client: string;
    /** The hash of the document that the server was built from. */
    readonly server: string;
}
/** The operations, each called by its operationId; and what goes beyond a single call. */
export type Client = {
    readonly [Id in keyof Documented]: Call<Id>;
} & {
    /** The same lists, item by item over all pages: `for await (const pet of client.each.listPets({ limit: 50 }))`. */
    readonly each: {
        readonly [Id in PagedId]: Walk<Id>;
    };
    /** openapi-fetch's client for the same service: `client.http.GET('/pets')`, `client.http.use(middleware)`. */
    readonly http: Http<paths, 'application/json'>;
    /**
     * Whether server and client were made from the same document, to the letter. Where they were not, they may still get
     * on: additions break no client. Throws `UnexpectedReply` where the server shows no document.
     */
    checkContract(options?: Pick<CallOptions, 'signal'>): Promise<ContractCheck>;
};
/** A client for the service at `baseUrl`. Throws `TypeError` when that is no absolute address. */
export declare function createClient(options: ClientOptions): Client;
