import type { Case } from './case.ts';

/** The same once more with HEAD: status and headers are to be those of GET. */
export function withHead(one: Case): Case {
  const common = /^(x-request-id|x-ratelimit-.*|ratelimit|ratelimit-policy)$/;
  const transport = /^(date|age|connection|keep-alive|transfer-encoding)$/;
  return {
    ...one,
    next: (get, body) => [
      {
        group: one.group,
        name: `HEAD: ${one.name}`,
        request: { ...one.request, method: 'HEAD' },
        statuses: [get.status],
        document: `HEAD answers as GET, which answered ${get.status}`,
        holds: ({ headers }) => {
          // Of a list, others may have added to it meanwhile.
          const moving = Array.isArray(body) ? ['content-length', 'link', 'etag'] : [];
          const names = [...new Set([...get.headers.keys(), ...headers.keys()])].filter(
            (name) => !transport.test(name) && !moving.includes(name),
          );
          return names
            .filter((name) =>
              common.test(name)
                ? get.headers.has(name) !== headers.has(name)
                : get.headers.get(name) !== headers.get(name),
            )
            .map((name) => ({
              found: `HEAD with ${name}: ${headers.get(name)}`,
              document: `GET has ${name}: ${get.headers.get(name)}`,
            }));
        },
      },
      ...(one.next?.(get, body) ?? []),
    ],
  };
}

/** The address of the next page (RFC 8288); null on the last one. */
export function nextOf(headers: Headers): URL | null {
  const [, target] = /<([^>]*)>\s*;[^,<]*\brel="?next\b/.exec(headers.get('link') ?? '') ?? [];
  return target !== undefined && URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost') : null;
}
