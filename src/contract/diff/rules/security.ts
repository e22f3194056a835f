import type { JsonObject } from '../json.ts';
import type { Example, Pair, Rule } from '../rule.ts';
import { breaking, harmless } from '../rule.ts';
import type { Alternative, Operation } from '../walk.ts';
import { operations } from './example.ts';

const securitySchemes = {
  key: { type: 'http', scheme: 'bearer' },
  login: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: {} } } },
};

function secured(older: readonly JsonObject[], newer: readonly JsonObject[]): Example {
  const [before, after] = operations({ security: older }, { security: newer });
  return [
    { ...before, components: { securitySchemes } },
    { ...after, components: { securitySchemes } },
  ];
}

/** How callers are let in: they may choose among alternatives, and must meet all of the chosen one. */
export const securityRules: readonly Rule<Pair<Operation>>[] = [
  {
    name: 'security-tightened',
    reason: 'Callers that were let in this way must show something else, or more.',
    effect: breaking,
    example: secured([{ key: [] }], [{ key: [], login: [] }]),
    find: ({ older, newer }) =>
      older.security
        .filter((alternative) => !newer.security.some((other) => isEnoughFor(alternative, other)))
        .map(({ node }) => ({ before: node, after: newer.security.map((other) => other.node) })),
  },
  {
    name: 'security-loosened',
    reason: 'Callers are let in this way too.',
    effect: harmless,
    example: secured([{ key: [] }], [{ key: [] }, { login: ['read'] }]),
    find: ({ older, newer }) =>
      newer.security
        .filter((alternative) => !older.security.some((other) => isEnoughFor(alternative, other)))
        .map(({ node }) => ({ before: older.security.map((other) => other.node), after: node })),
  },
  {
    name: 'login-removed',
    reason: 'Consumers that get their tokens in this way, at this address, no longer can.',
    effect: breaking,
    example: [loginAt('https://example.com/token'), loginAt()],
    find: ({ older, newer }) => {
      const after = logins(newer);
      return [...logins(older)].flatMap(([scheme, offered]) =>
        offered
          .filter((login) => after.get(scheme)?.includes(login) === false)
          .map((login) => ({ before: login, after: after.get(scheme) })),
      );
    },
  },
  {
    name: 'login-added',
    reason: 'Consumers may get their tokens in one more way.',
    effect: harmless,
    example: [loginAt(), loginAt('https://example.com/token')],
    find: ({ older, newer }) => {
      const before = logins(older);
      return [...logins(newer)].flatMap(([scheme, offered]) =>
        offered.filter((login) => before.get(scheme)?.includes(login) === false).map((login) => ({ after: login })),
      );
    },
  },
];

/** Where to log in, by scheme; a scheme that only one version has is judged as a way in. */
const logins = ({ security }: Operation): ReadonlyMap<string, readonly string[]> =>
  new Map(security.flatMap(({ schemes }) => [...schemes].map(([scheme, { logins: offered }]) => [scheme, offered])));

function loginAt(tokenUrl?: string): JsonObject {
  const [document] = operations({ security: [{ login: [] }] }, {});
  const flows: JsonObject = tokenUrl === undefined ? {} : { clientCredentials: { tokenUrl } };
  return { ...document, components: { securitySchemes: { login: { type: 'oauth2', flows } } } };
}

/** Who can show `shown` meets `asked`: every scheme of it, with every scope. */
const isEnoughFor = (shown: Alternative, asked: Alternative): boolean =>
  [...asked.schemes].every(([scheme, { scopes }]) => {
    const held = shown.schemes.get(scheme);
    return held !== undefined && scopes.every((scope) => held.scopes.includes(scope));
  });
