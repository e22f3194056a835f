import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../contract/contract.ts';
import { Failure } from '../failure.ts';

/**
 * `/openapi.json` and `/openapi.yaml`: the document this server was built from, its hash as their entity tag. `/docs`:
 * the same, to read and try in a browser. Returns all their paths, in Fastify's notation.
 */
export function serveDocs(server: FastifyInstance, contract: Contract): string[] {
  const { root, yaml, hash } = contract.document;
  const etag = `"${hash}"`;
  const published = (type: string, text: string) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' });
    return isKnown(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.type(type).send(text);
  };
  server.get('/openapi.json', published('application/json', JSON.stringify(root)));
  server.get('/openapi.yaml', published('application/yaml', yaml));

  const paths = ['/docs', '/docs/', '/docs/json', '/docs/static/*'];
  const page = pageOnDemand(contract);
  for (const path of paths) server.get(path, page);
  return ['/openapi.json', '/openapi.yaml', ...paths];
}

/** Whether a caller's `If-None-Match` names `etag` (RFC 9110, 13.1.2: compared weakly). */
function isKnown(known: string | undefined, etag: string): boolean {
  return known?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;
}

/** Headers that speak of one exchange, and not of what it brought. */
const ofTheConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

/** The page is a small server of its own, built when somebody first asks for it: no start waits for it. */
function pageOnDemand(contract: Contract) {
  let building: ReturnType<typeof build> | undefined;
  const build = async () => (await import('./docsPage.ts')).buildDocsPage(contract);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // The page looks for its parts beside its own address, and a query would be in the way.
    if (/^\/docs\/?\?/.test(request.url)) return reply.redirect('/docs');
    building ??= build();
    const page = await building;
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
    const answer = await page.inject({
      url: request.url,
      headers: { ...(etag && { 'if-none-match': etag }), ...(since && { 'if-modified-since': since }) },
      payloadAsStream: true,
    });
    if (answer.statusCode === 404) throw new Failure('not_found', 'There is no such path.');
    if (answer.statusCode >= 400) throw new Error(`the page answered ${answer.statusCode}`);
    for (const [name, value] of Object.entries(answer.headers))
      if (!ofTheConnection.includes(name)) reply.header(name, value);
    return reply.code(answer.statusCode).send(answer.stream());
  };
}
