import { STATUS_CODES } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import type { Deprecation } from '../contract/deprecation.ts';
import { entries, items, type Json, type JsonObject, member, resolve } from '../contract/document.ts';
import type { Quota } from '../contract/limits.ts';
import type { Operation } from '../contract/operations.ts';
import { codes } from '../failure.ts';
import { statusOf } from './problem.ts';

/**
 * The document as the page shows it: what a program reads from extensions is also told in words, and this very server
 * comes first among the servers. The published document stays as it is.
 */
export function guide(contract: Contract): JsonObject {
  const { root, hash } = contract.document;
  const info = member(root, 'info');
  const shared = sharedHeaders(contract);
  const sections = [
    `[openapi.yaml](/openapi.yaml) · [openapi.json](/openapi.json) · document \`${hash}\``,
    member(info, 'description') ?? '',
    plans(contract),
    deprecated(contract),
    errors(contract),
    common(contract, shared),
  ];
  return {
    ...root,
    info: { ...(info as JsonObject), description: sections.join('\n\n') },
    servers: [
      { url: contract.basePath, description: 'The server that shows this page' },
      ...items(member(root, 'servers')),
    ],
    paths: toldPaths(contract, shared),
  };
}

function plans({ limits: { plans, anonymous, ban } }: Contract): string {
  const [last] = ban.durations.slice(-1);
  return [
    '## Plans',
    '',
    ...table(
      ['Plan', 'Requests per minute (UTC)', 'Requests per day (UTC)'],
      [...plans].map(([name, quota]) => [
        name,
        ...(quota === 'custom' ? ['by agreement', 'by agreement'] : numbers(quota)),
      ]),
    ),
    `**Without a valid key** an address has ${numbers(anonymous).join(' requests per minute and ')} per day, at each instance of the service.`,
    '',
    '**Bans.** A key that has as many requests rejected within a minute as its plan allows in one is banned: ' +
      `${ban.durations.map(duration).join(', then ')}, and ${duration(last ?? 0)} each time after that. ` +
      `The next ban is one step shorter for each clean period of ${duration(ban.cleanPeriod)}.`,
  ].join('\n');
}

function deprecated({ operations }: Contract): string {
  const ending = [...operations.values()].flatMap(({ id, method, path, deprecation }) =>
    deprecation === null
      ? []
      : [
          [
            `\`${method.toUpperCase()} ${path}\` (${id})`,
            day(deprecation.since),
            day(deprecation.sunset),
            replacement(deprecation, operations),
          ],
        ],
  );
  if (ending.length === 0) return '';
  return [
    '## Deprecated operations',
    '',
    ...table(['Operation', 'Deprecated since', 'Removed on', 'Use instead'], ending),
  ].join('\n');
}

function errors(contract: Contract): string {
  const statuses = [...new Set(codes.map((code) => statusOf[code]))].sort((a, b) => a - b);
  return [
    '## Errors',
    '',
    ...table(
      ['Status', '`code`', 'When'],
      statuses.map((status) => [
        `${status}`,
        codes
          .filter((code) => statusOf[code] === status)
          .map((code) => `\`${code}\``)
          .join(', '),
        describedAs(contract, status),
      ]),
    ),
  ].join('\n');
}

/** What the document says of a status, where the first operation has it; else what HTTP calls it. */
function describedAs({ document: { root }, operations }: Contract, status: number): string {
  for (const operation of operations.values()) {
    const text = member(resolve(root, member(responsesOf(root, operation), `${status}`)), 'description');
    if (text !== undefined) return oneLine(text);
  }
  return STATUS_CODES[status] ?? '';
}

/** The names, in lower case, of the headers that every documented response carries. */
function sharedHeaders({ operations }: Contract): Set<string> {
  const [first, ...rest] = [...operations.values()].flatMap((operation) => [...operation.responses.values()]);
  return new Set([...(first?.headers.keys() ?? [])].filter((name) => rest.every(({ headers }) => headers.has(name))));
}

function common({ document: { root }, operations }: Contract, shared: ReadonlySet<string>): string {
  const [operation] = operations.values();
  const [status] = operation?.responses.keys() ?? [];
  if (operation === undefined || status === undefined || shared.size === 0) return '';
  const headers = member(resolve(root, member(responsesOf(root, operation), `${status}`)), 'headers');
  const rows = entries(headers)
    .filter(([name]) => shared.has(name.toLowerCase()))
    .map(([name, header]) => [`\`${name}\``, oneLine(member(resolve(root, header), 'description'))]);
  return ['## Headers of every response', '', ...table(['Header', 'What it says'], rows)].join('\n');
}

/**
 * The paths, with a word on its end in the line and the text of each deprecated operation, and without the headers that
 * every response has: they are told once.
 */
function toldPaths({ document: { root }, operations }: Contract, shared: ReadonlySet<string>): Json {
  const paths: Record<string, Json> = { ...(member(root, 'paths') as JsonObject) };
  for (const operation of operations.values()) {
    const { method, path, deprecation } = operation;
    const item = paths[path] as JsonObject;
    const written = item[method] as JsonObject;
    const told: Record<string, Json> = { ...written, responses: toldResponses(root, operation, shared) };
    if (deprecation !== null) {
      const end = day(deprecation.sunset);
      told['summary'] = `${written['summary'] ?? operation.id} · removed on ${end}`;
      told['description'] =
        `**Removed on ${end}. Use ${replacement(deprecation, operations)} instead.**\n\n${written['description'] ?? ''}`;
    }
    paths[path] = { ...item, [method]: told };
  }
  return paths;
}

function toldResponses(root: JsonObject, operation: Operation, shared: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    entries(responsesOf(root, operation)).map(([status, entry]) => {
      const response = resolve(root, entry) as JsonObject;
      const own = entries(member(response, 'headers')).filter(([name]) => !shared.has(name.toLowerCase()));
      return [status, { ...response, headers: Object.fromEntries(own) }];
    }),
  );
}

function responsesOf(root: JsonObject, { method, path }: Operation): Json | undefined {
  return member(member(member(member(root, 'paths'), path), method), 'responses');
}

function oneLine(text: Json | undefined): string {
  return String(text ?? '')
    .trim()
    .replaceAll(/\s+/g, ' ');
}

function replacement({ replacedBy }: Deprecation, operations: Contract['operations']): string {
  const found = operations.get(replacedBy);
  return found === undefined ? replacedBy : `\`${found.method.toUpperCase()} ${found.path}\` (${replacedBy})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .concat('');
}

function numbers({ perMinute, perDay }: Quota): [string, string] {
  return [perMinute.toLocaleString('en'), perDay.toLocaleString('en')];
}

/** Unix seconds as `5 December 2030`. */
function day(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

/** Seconds in the largest unit that needs no fraction: `5 minutes`. */
function duration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}
