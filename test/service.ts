import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { handlers } from '../generated/handlers.ts';
import { mint } from '../src/apiKey.ts';
import { type Contract, readContract } from '../src/contract/contract.ts';
import { parseText, readDocument } from '../src/contract/document.ts';
import { buildServer } from '../src/http/server.ts';
import { parseJson } from '../src/json.ts';
import type { ApiKey } from '../src/store/keys.ts';
import { type OperatorStore, openOperatorStore } from '../src/store/operator.ts';
import type { Plan } from '../src/store/projects.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { cloneDatabase, type Database } from './database.ts';
import { type Reply, replyChecker } from './replies.ts';

export interface Asked {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string and bytes go out as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The loopback address the request comes from: each has a quota of its own for requests without a key. */
  readonly from?: string;
}

/** A running service on a database of its own. Every reply is held against the document before a test sees it. */
export interface Service {
  readonly url: string;
  readonly contract: Contract;
  readonly store: Store;
  readonly operator: OperatorStore;
  readonly database: Database;
  /** "operationId status" of every reply so far. */
  readonly seen: ReadonlySet<string>;
  /** What it logged, a line each. */
  readonly log: readonly string[];
  /** A new key in a new project; a plan without limits that a test could meet, unless it is named. */
  newKey(plan?: Plan, options?: { expiresAt?: Date }): Promise<{ key: string; stored: ApiKey }>;
  ask(method: string, path: string, asked?: Asked): Promise<Reply & { readonly json: unknown }>;
  /** Moves the clock that decides when a deprecated operation ends. */
  setClock(instant: string): void;
  close(): Promise<void>;
}

export const unlimited: Plan = { plan: 'enterprise', custom: { perMinute: 1_000_000_000, perDay: 1_000_000_000 } };

const documentFile = new URL('../openapi.yaml', import.meta.url);

/** Starts a service in this process. `edit` changes the text of openapi.yaml before it is read. */
export async function startService(
  options: { database?: Database; edit?: (yaml: string) => string; trustProxy?: string[] } = {},
): Promise<Service> {
  const database = options.database ?? (await cloneDatabase());
  const document = readDocument(documentFile);
  const contract = readContract(options.edit === undefined ? document : parseText(options.edit(document.yaml)));
  const log: string[] = [];
  const lines = { write: (text: string) => void log.push(...text.trimEnd().split('\n')) };
  let shift = 0;
  const { plans, ban } = contract.limits;
  const store = openStore(database.url, { plans, banDurations: ban.durations, cleanPeriod: ban.cleanPeriod });
  const server = await buildServer({
    contract,
    handlers,
    store,
    log: { logger: pino({ base: null }, lines), lines },
    trustProxy: options.trustProxy ?? [],
    clock: () => Date.now() + shift,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  // A server that listens on a port has an address of this form.
  const { port } = server.server.address() as AddressInfo;
  const operator = openOperatorStore(database.url);
  const checker = replyChecker(contract);
  return {
    url: `http://127.0.0.1:${port}`,
    contract,
    store,
    operator,
    database,
    seen: checker.seen,
    log,
    newKey: (plan, keyOptions) => newKey(operator, plan, keyOptions),
    ask: async (method, path, asked = {}) => {
      const reply = await send(port, method, path, asked);
      checker.check(method, path, reply);
      const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true && reply.text !== '';
      return { ...reply, json: isJson ? parseJson(reply.text) : undefined };
    },
    setClock: (instant) => {
      shift = Date.parse(instant) - Date.now();
    },
    close: async () => {
      await server.close();
      await Promise.all([store.close(), operator.close()]);
      if (options.database === undefined) await database.drop();
    },
  };
}

export async function newKey(
  operator: OperatorStore,
  plan: Plan = unlimited,
  { expiresAt = null }: { expiresAt?: Date | null } = {},
): Promise<{ key: string; stored: ApiKey }> {
  const { key, fingerprint } = mint();
  return { key, stored: await operator.keys.createWithProject({ fingerprint, name: 'test', expiresAt }, plan) };
}

/** Sends a request as it stands: fetch would tidy up paths and headers. */
export function send(
  port: number,
  method: string,
  path: string,
  { key, headers = {}, body, from }: Asked,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const text =
      body === undefined
        ? undefined
        : typeof body === 'string' || body instanceof Uint8Array
          ? body
          : JSON.stringify(body);
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        ...(from === undefined ? {} : { localAddress: from }),
        agent: false,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const received = new Headers();
          for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value));
          resolve({
            status: response.statusCode ?? 0,
            headers: received,
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}
