import type { contract } from '../../generated/contract.js';
import type { operations } from '../../generated/openapi.d.ts';
import type { RetryPolicy } from './retry.ts';

/** The printed operations, with their documentation. */
export type Documented = (typeof contract)['operations'];
export type OperationId = keyof Documented & keyof operations;

type Given<T> = [T] extends [never] ? unknown : Exclude<T, undefined>;
type Flat<T> = { [Key in keyof T]: T[Key] };
type BodyOf<T> = T extends { requestBody: { content: { 'application/json': infer Body } } } ? { body: Body } : unknown;

/** What an operation is asked with: the parameters of path and query by their names, and `body`; int64 as bigint. */
export type Input<Id extends OperationId> = Flat<
  Given<Exclude<operations[Id]['parameters']['path'], undefined>> &
    Given<Exclude<operations[Id]['parameters']['query'], undefined>> &
    BodyOf<operations[Id]>
>;

type Responses<Id extends OperationId> = operations[Id]['responses'];

/** Every documented reply of an operation: `status` and `ok` tell them apart, and with them what `body` is. */
export type Reply<Id extends OperationId> = {
  [Status in keyof Responses<Id> & number]: {
    readonly status: Status;
    readonly ok: `${Status}` extends `2${string}` ? true : false;
    readonly body: Responses<Id>[Status] extends { content: { 'application/json': infer Body } } ? Body : undefined;
    /** For its headers; its body has been read. */
    readonly response: Response;
  };
}[keyof Responses<Id> & number];

/** What `unwrap` gives for a reply: the body of a success. */
export type Success<R extends { readonly ok: boolean; readonly body: unknown }> = Extract<
  R,
  { readonly ok: true }
>['body'];

/** Of a single call. */
export interface CallOptions {
  /** Cancels the call at any moment, also while it waits; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Over the client's own; false sends once. */
  readonly retry?: Partial<RetryPolicy> | false;
}

type Arguments<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];

/**
 * Calls an operation. Resolves to every reply that the document describes, errors too; throws `UnexpectedReply` on any
 * other, and on no reply what `fetch` threw.
 */
export type Call<Id extends OperationId> = (...args: Arguments<Id>) => Promise<Reply<Id>>;

/** Operations that answer a list page by page. */
export type PagedId = {
  [Id in OperationId]: Documented[Id] extends { readonly paged: true } ? Id : never;
}[OperationId];

/** Walks a list to its end, page after page. Throws `ApiError` where a page is refused. */
export type Walk<Id extends OperationId> = (
  ...args: Arguments<Id>
) => AsyncGenerator<Success<Reply<Id>> extends readonly (infer Item)[] ? Item : never, void, undefined>;
