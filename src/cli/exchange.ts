import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Credential, Request } from '../contract/test/case.ts';
import type { Reply } from '../contract/test/judge.ts';

/** Milliseconds without a sign of life after which a reply is given up. */
const patience = 20_000;

/** Sends requests to one server, as they stand. */
export interface Exchange {
  send(request: Request): Promise<Reply>;
  close(): void;
}

/**
 * Opens the way to the server at `root`, an address without a trailing slash. Not fetch: it tidies up addresses and
 * headers, follows redirects, and unpacks what was packed.
 */
export function openExchange(root: URL, authorization: (credential: Credential) => string | null): Exchange {
  const isTls = root.protocol === 'https:';
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const prefix = root.pathname.replace(/\/+$/, '');
  return {
    close: () => agent.destroy(),
    send: ({ method, target, headers, body, credential }) =>
      new Promise((resolve, reject) => {
        const shown = authorization(credential);
        const request = (isTls ? httpsRequest : httpRequest)(
          root,
          {
            agent,
            method,
            path: prefix + target,
            headers: {
              accept: 'application/json',
              ...(shown === null ? {} : { authorization: shown }),
              ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
              ...headers,
            },
            timeout: patience,
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () => {
              const received = new Headers();
              for (const [name, values = []] of Object.entries(response.headersDistinct))
                for (const value of values) received.append(name, value);
              resolve({
                status: response.statusCode ?? 0,
                headers: received,
                text: Buffer.concat(chunks).toString('utf8'),
              });
            });
          },
        );
        request.on('timeout', () => request.destroy(new Error(`nothing came for ${patience / 1000} seconds`)));
        request.on('error', reject);
        request.end(body ?? undefined);
      }),
  };
}
