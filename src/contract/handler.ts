import type { operations } from '../../generated/server.d.ts';
import type { JsonText } from '../json.ts';

export type OperationId = keyof operations;

type Given<T> = [T] extends [never] ? Record<never, never> : Exclude<T, undefined>;

/** An operation's input as the server has it: validated, defaults applied, int64 as bigint. */
export interface Input<Id extends OperationId> {
  readonly params: Readonly<Given<operations[Id]['parameters']['path']>>;
  readonly query: Readonly<Given<operations[Id]['parameters']['query']>>;
  readonly body: operations[Id] extends { requestBody: { content: { 'application/json': infer Body } } }
    ? Readonly<Body>
    : undefined;
}

/** Response headers that follow from the contract and are set by http/, whatever a handler says. */
type Followed =
  | `X-RateLimit-${string}`
  | `RateLimit${string}`
  | 'X-Request-Id'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'Deprecation'
  | 'Sunset'
  | 'Connection';

// openapi-typescript gives headers an index signature, under which a misspelt name would pass; this takes it away. On
// a deprecated operation `Link` follows too. A header that may be missing may also be undefined.
type Own<Headers> = {
  [Name in keyof Headers as string extends Name
    ? never
    : Name extends Followed | ('Sunset' extends keyof Headers ? 'Link' : never)
      ? never
      : Name]: Record<never, never> extends Pick<Headers, Name> ? Headers[Name] | undefined : Headers[Name];
};

type WithHeaders<Headers> =
  Record<never, never> extends Headers
    ? { readonly headers?: Readonly<Headers> }
    : { readonly headers: Readonly<Headers> };

/**
 * Every documented reply of an operation: its status with the body and the headers that go with it. A body may be
 * handed over as JSON text that is ready to be sent. Errors are better thrown, as `Failure`.
 */
export type Reply<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses']]: {
    readonly status: Status;
  } & (operations[Id]['responses'][Status] extends { headers: infer Headers } ? WithHeaders<Own<Headers>> : unknown) &
    (operations[Id]['responses'][Status] extends { content: { 'application/json': infer Body } }
      ? { readonly body: Body | JsonText<Body> }
      : { readonly body?: never });
}[keyof operations[Id]['responses']];

/** What a handler may use besides its input. */
export interface Context<Store> {
  readonly store: Store;
  /** The path and query of another operation, or null once that operation is removed. */
  readonly address: <Id extends OperationId>(
    id: Id,
    input: Partial<Pick<Input<Id>, 'params' | 'query'>>,
  ) => string | null;
}

/** The function behind an operationId. Throws `Failure` for an answer other than success. */
export type Handler<Id extends OperationId, Store> = (input: Input<Id>, context: Context<Store>) => Promise<Reply<Id>>;

/** One handler for each operation; null for one that is not implemented yet, on purpose (`x-not-implemented`). */
export type Handlers<Store> = { readonly [Id in OperationId]: Handler<Id, Store> | null };
