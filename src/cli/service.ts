import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { handlers } from '../../generated/handlers.ts';
import type { Config } from '../config.ts';
import type { Contract } from '../contract/contract.ts';
import type { Log } from '../http/log.ts';
import { buildServer } from '../http/server.ts';
import { openEmbedded } from '../store/embedded.ts';
import { openStore, type Store } from '../store/store.ts';
import { claimAddress, originOf, refuse } from './address.ts';
import { contract as readContract } from './command.ts';
import { openLog } from './log.ts';
import { prepareDatabase } from './prepareDatabase.ts';
import { onSignal } from './signals.ts';
import { welcome } from './welcome.ts';

/** Milliseconds for requests under way to finish after a signal. */
const grace = 10_000;

/** Milliseconds for the store to close its connections; a database that hangs would never let them go. */
const farewell = 2_000;

/** Milliseconds from a signal to the end, whatever hangs: `grace`, `farewell` and what the embedded PostgreSQL takes. */
const utmost = 25_000;

/** All that a service is made of before it touches anything. */
interface Service {
  readonly config: Config;
  readonly contract: Contract;
  /** The IP address to listen on. */
  readonly address: string;
  readonly log: Log;
  /** Aborted when the service shall end. */
  readonly ending: AbortSignal;
  /** Milliseconds that requests under way are given then. */
  readonly patience: () => number;
}

/** Serves until a signal comes, leaves in good order, and ends the process. Throws where the service cannot begin. */
export async function runService(config: Config): Promise<never> {
  const contract = readContract();
  // A worker gets the port from its primary, which has seen to it that it is free.
  const address = cluster.isWorker ? config.host : await claimAddress(config);
  const { log, flush } = openLog(config.logLevel);

  const ending = new AbortController();
  let crashed = false;
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    setTimeout(() => process.exit(1), utmost).unref();
  };
  onSignal(end);
  // A rejection that nobody handles ends here too. What state it leaves is unknown: no request is begun or waited for.
  process.on('uncaughtException', (error) => {
    crashed = true;
    log.logger.fatal({ err: error }, 'a mistake in the program: the service ends');
    end();
  });

  try {
    await live({ config, contract, address, log, ending: ending.signal, patience: () => (crashed ? 0 : grace) });
  } finally {
    flush();
  }
  process.exit(crashed ? 1 : 0);
}

/** From the database to the last connection: whatever was opened is closed again, in the reverse order. */
async function live(service: Service): Promise<void> {
  const { config, contract, log, ending } = service;
  const embedded =
    config.databaseUrl === null ? await openEmbedded({ dataDir: config.dataDir, exclusive: true }) : null;
  try {
    if (ending.aborted) return;
    const url = config.databaseUrl ?? embedded?.url ?? '';
    const { plans, ban } = contract.limits;
    const store = openStore(url, { plans, banDurations: ban.durations, cleanPeriod: ban.cleanPeriod });
    try {
      await answer(service, store, async (origin) => {
        // Workers find it prepared by their primary.
        if (!cluster.isWorker) await prepareDatabase(url, config, contract, log.logger, ending);
        if (embedded !== null) await welcome({ origin, contract, dataDir: config.dataDir, url: embedded.url });
      });
    } finally {
      const closed = store.close().catch((error: unknown) => log.logger.warn({ err: error }, 'closing the store'));
      await Promise.race([closed, sleep(farewell)]);
    }
  } finally {
    await embedded?.release();
  }
}

/** Listens, does what there is `toDo` meanwhile, and closes when the service ends or that fails. */
async function answer(
  { config, contract, address, log, ending, patience }: Service,
  store: Store,
  toDo: (origin: string) => Promise<void>,
): Promise<void> {
  const server = await buildServer({
    contract,
    handlers,
    store,
    log,
    trustProxy: config.trustProxy,
    mocks: config.mocks,
  });
  const connections = connectionsOf(server.server);
  try {
    await server.listen({ host: address, port: config.port }).catch(refuse(config));
    // A server that listens on a port has an address of this form.
    const origin = originOf(server.server.address() as AddressInfo);
    if (!cluster.isWorker) process.stderr.write(`Animal Store listens on ${origin}${contract.basePath}\n`);
    const ended = ending.aborted ? Promise.resolve() : once(ending, 'abort');
    // Whatever is left to do when a signal comes goes down with the process.
    await Promise.race([toDo(origin), ended]);
    await ended;
  } finally {
    await closeWithin(server, connections, patience());
  }
}

/** Stops accepting, lets what is under way finish, and cuts it off after `limit` milliseconds. */
async function closeWithin(server: FastifyInstance, connections: ReadonlySet<Socket>, limit: number): Promise<void> {
  for (const socket of connections) {
    // The response under way is the connection's last one, and says so. Node's own name for it, which it does not document.
    const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (response?.headersSent === false) response.setHeader('connection', 'close');
  }
  // A connection falls idle when its last response is out, long after close() has looked for idle ones.
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.server.closeAllConnections(), limit);
  await server.close();
  clearInterval(sweep);
  clearTimeout(late);
}

/** The connections that are open at any moment. */
function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
