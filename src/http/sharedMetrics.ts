import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

// With --workers, each process counts for itself, and whoever is asked for the metrics answers for all of them: a
// worker asks its primary, which asks every worker.

const question = 'metrics of all workers';

/** How to get the metrics: `registry`'s own, or, in a worker, those of all workers together. */
export function metricsOf(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry(); // Answers the primary's question from now on.
  return () =>
    new Promise((resolve) => {
      const hear = (message: unknown): void => {
        const answer: unknown =
          typeof message === 'object' && message !== null ? Reflect.get(message, question) : undefined;
        if (typeof answer !== 'string') return;
        process.off('message', hear);
        resolve(answer);
      };
      process.on('message', hear);
      process.send?.(question);
    });
}

/** In the primary: answers the questions of its workers. */
export function metricsForWorkers(): (worker: Worker) => void {
  const all = new AggregatorRegistry();
  return (worker) => {
    worker.on('message', async (message: unknown) => {
      if (message !== question) return;
      // A worker that does not answer in time is left out by leaving the text empty; the next scrape sees the others.
      const text = await all.clusterMetrics().catch(() => '');
      if (worker.isConnected()) worker.send({ [question]: text });
    });
  };
}
