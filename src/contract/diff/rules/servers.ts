import type { JsonObject } from '../json.ts';
import type { Pair, Rule } from '../rule.ts';
import { breaking, harmless, warning } from '../rule.ts';
import type { Server } from '../walk.ts';
import { documents } from './example.ts';

const at = (...urls: string[]): JsonObject => ({ servers: urls.map((url) => ({ url })) });

/** Where the API is served. */
export const serverRules: readonly Rule<Pair<readonly Server[]>>[] = [
  {
    name: 'base-path-removed',
    reason: 'Nothing is served under this path any more: every address that consumers built is wrong.',
    effect: breaking,
    example: documents(at('https://example.com/v1', 'https://example.com/v2'), at('https://example.com/v2')),
    find: ({ older, newer }) =>
      gone(older, newer)
        .filter((server) => !offers(newer, server))
        .map(({ url }) => ({ before: url, after: urls(newer) })),
  },
  {
    name: 'server-removed',
    reason: 'This address is no longer named; the same paths are served elsewhere.',
    effect: warning,
    example: documents(at('https://eu.example.com/v1', 'https://us.example.com/v1'), at('https://eu.example.com/v1')),
    find: ({ older, newer }) =>
      gone(older, newer)
        .filter((server) => offers(newer, server))
        .map(({ url }) => ({ before: url, after: urls(newer) })),
  },
  {
    name: 'server-added',
    reason: 'It is served elsewhere too.',
    effect: harmless,
    example: documents(at('https://eu.example.com'), at('https://eu.example.com', 'https://us.example.com')),
    find: ({ older, newer }) => gone(newer, older).map(({ url }) => ({ after: url })),
  },
];

const gone = (older: readonly Server[], newer: readonly Server[]): readonly Server[] =>
  older.filter(({ url }) => !newer.some((other) => other.url === url));

const offers = (servers: readonly Server[], { basePath }: Server): boolean =>
  servers.some((other) => other.basePath === basePath);

const urls = (servers: readonly Server[]): readonly string[] => servers.map(({ url }) => url);
