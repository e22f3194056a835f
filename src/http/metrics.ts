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
    help: "Time from a request's headers to its answer, by operationId.",
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

  // The counter of a set of labels is looked up once, not for every request.
  const once = <Label extends string | number, Of>(look: (label: Label) => Of): ((label: Label) => Of) => {
    const known = new Map<Label, Of>();
    return (label) => {
      const found = known.get(label) ?? look(label);
      known.set(label, found);
      return found;
    };
  };
  const meterOf = once((operation: string) => ({
    status: once((status: number) => requests.labels({ operation, status })),
    duration: durations.labels({ operation }),
    caller: contract.operations.get(operation)?.deprecation
      ? once((key: string) => deprecated.labels({ operation, key }))
      : null,
  }));

  server.addHook('onSend', (request, reply, _body, done) => {
    const meter = meterOf(request.operationId ?? '');
    meter.status(reply.statusCode).inc();
    meter.duration.observe((performance.now() - request.startedAt) / 1000);
    if (reply.statusCode === 429 && request.failure !== null) refusals.inc({ code: request.failure.code });
    if (request.keyId !== null) meter.caller?.(request.keyId).inc();
    done();
  });
  const metrics = metricsOf(registry);
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await metrics()));
}
