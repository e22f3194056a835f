import type { FastifyInstance } from 'fastify';
import type { Contract } from '../contract/contract.ts';

/** `/openapi.json` and `/openapi.yaml`: the document this server was built from. */
export async function serveDocs(server: FastifyInstance, contract: Contract): Promise<void> {
  const { root, yaml } = contract.document;
  const json = JSON.stringify(root);
  server.get('/openapi.json', (_request, reply) => reply.type('application/json').send(json));
  server.get('/openapi.yaml', (_request, reply) => reply.type('application/yaml').send(yaml));
}
