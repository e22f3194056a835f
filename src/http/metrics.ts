import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Contract } from '../contract/contract.ts';
import type { Store } from '../store/store.ts';
import { metricsOf } from './sharedMetrics.ts';

/** `/metrics`, for Prometheus: what was answered, how fast, who waits, who still calls what is deprecated. */
export function measure(server: FastifyInstance, contract: Contract, store: Store): void {
  const registers = [new Registry()] as const;
  const [registry] = registers;
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by operationId (empty where none was reached) and status.',
    labelNames: ['operation', 'status'],
    registers: [...registers],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its response, by operationId.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [...registers],
  });
  const refusals = new Counter({
    name: 'rate_limit_refusals_total',
    help: 'Requests answered with 429, by code.',
    labelNames: ['code'],
    registers: [...registers],
  });
  const deprecated = new Counter({
    name: 'deprecated_operation_requests_total',
    help: 'Calls of deprecated operations, by operationId and key id: whom to tell.',
    labelNames: ['operation', 'key'],
    registers: [...registers],
  });
  new Gauge({
    name: 'store_waiting_requests',
    help: 'Requests that wait for the next statement, by what they ask.',
    labelNames: ['question'],
    registers: [...registers],
    collect() {
      for (const [question, waiting] of Object.entries({ ...store.pets.waiting, admit: store.admission.waiting }))
        this.set({ question }, waiting);
    },
  });
  refusals.inc({ code: 'rate_limit_exceeded' }, 0);
  refusals.inc({ code: 'api_key_banned' }, 0);

  // The counters of a pair of labels are looked up once, not for every request.
  const meters = new Map<
    string,
    { readonly count: (status: number) => void; readonly time: (seconds: number) => void }
  >();
  const meterOf = (operation: string) => {
    const statuses = new Map<number, Counter.Internal>();
    const duration = durations.labels({ operation });
    const meter = {
      count: (status: number) => {
        const counter = statuses.get(status) ?? requests.labels({ operation, status });
        statuses.set(status, counter);
        counter.inc();
      },
      time: (seconds: number) => duration.observe(seconds),
    };
    meters.set(operation, meter);
    return meter;
  };

  server.addHook('onResponse', (request, reply, done) => {
    const operation = request.operationId ?? '';
    const meter = meters.get(operation) ?? meterOf(operation);
    meter.count(reply.statusCode);
    meter.time(reply.elapsedTime / 1000);
    if (reply.statusCode === 429 && request.failure !== null) refusals.inc({ code: request.failure.code });
    if (request.keyId !== null && contract.operations.get(operation)?.deprecation)
      deprecated.inc({ operation, key: request.keyId });
    done();
  });
  const metrics = metricsOf(registry);
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await metrics()));
}
