import { isDeepStrictEqual } from 'node:util';
import { parseJson, printJson } from '../../json.ts';
import { compileSchemas } from '../compile.ts';
import type { Contract } from '../contract.ts';
import { at, resolve } from '../document.ts';
import { bodyLimit, headerLimit } from '../limits.ts';
import type { Operation, Parameter } from '../operations.ts';
import { types } from '../schema.ts';
import type { Case, Credential, Request } from './case.ts';
import { nextOf, withHead } from './followUp.ts';
import { agreedCandidates, examplesAt, opaque, textsOf } from './inputs.ts';
import { isRecord, type Judge, type Problem, type Reply } from './judge.ts';
import { type Candidate, propertiesOf, sample } from './values.ts';

/** Pages that are followed from one list. */
const pagesWalked = 3;

const json = { 'content-type': 'application/json' };

export interface OperationCases {
  all(): Case[];
  /** A mixture of values, every other time with a wrong one; null where that could harm what others made. */
  readonly mixed: ((number: number, random: () => number) => Case) | null;
}

/** How a request differs from the ordinary one. */
interface Change {
  readonly path?: Readonly<Record<string, string>>;
  /** Name and text in turn, so that one can be given twice. */
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: Credential;
}

/** The cases of one operation: all of them, and mixtures of their values. */
export function operationCases(contract: Contract, judge: Judge, operation: Operation, now: number): OperationCases {
  const {
    basePath,
    document: { root },
  } = contract;
  const { id, parameters } = operation;
  const removed = isRemoved(operation, now);
  const documented = (...statuses: number[]) => statuses.filter((status) => operation.responses.has(status));
  const successes = [...operation.responses.keys()].filter((status) => status < 300);
  const safe = operation.method === 'get';
  /** Without an id, PUT, PATCH and DELETE change what others made. */
  const harmless = safe || operation.method === 'post' || parameters.some((one) => one.in === 'path');
  const bodies =
    operation.body === null
      ? []
      : agreedCandidates(contract, operation.body).agreed.filter(
          ({ value }) => printJson(value).length < bodyLimit / 4,
        );
  const examples = operation.body === null ? [] : examplesAt(contract, operation.body);
  const ordinary =
    operation.body === null ? null : printJson(examples[0]?.value ?? sample(root, at(root, operation.body)));
  const texts = parameters.map((parameter) => ({ parameter, list: textsOf(contract, parameter, safe) }));
  const ordinaryText = (name: string) =>
    texts.find(({ parameter }) => parameter.name === name)?.list.find(({ valid }) => valid)?.texts[0] ?? '0';
  const read = compileSchemas(contract);
  const readSent = operation.body === null ? null : read(operation.body);
  const success =
    successes.map((status) => operation.responses.get(status)?.schema ?? null).find((schema) => schema !== null) ??
    null;
  const isList = success !== null && kindOf(contract, success).includes('array');

  function request(change: Change): Request {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(change.path?.[name] ?? ordinaryText(name)),
    );
    const required = parameters.filter(
      (one) => one.in === 'query' && one.required && !change.query?.some(([name]) => name === one.name),
    );
    const query = [...required.map(({ name }) => [name, ordinaryText(name)] as const), ...(change.query ?? [])];
    const search = query.map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join('&');
    const body = change.body === undefined ? ordinary : change.body;
    return {
      method: operation.method.toUpperCase(),
      target: `${basePath}${path}${search === '' ? '' : `?${search}`}`,
      headers: change.headers ?? (body === null ? {} : json),
      body,
      credential: change.credential ?? 'valid',
    };
  }

  /** Order of the checks: key, removal, media type and size, input, the operation. */
  function make(
    name: string,
    change: Change,
    statuses: readonly number[],
    document: string,
    more: Pick<Case, 'holds' | 'next'> = {},
  ): Case {
    const one = { group: id, name, request: request(change), statuses, document };
    if (statuses.includes(401) || statuses.includes(431)) return { ...one, ...more };
    if (removed)
      return {
        ...one,
        statuses: [410],
        document: `${id} was removed on ${operation.deprecation?.sunsetDay}: 410 to every valid key`,
      };
    const [status = 0] = statuses;
    if (!operation.implemented && ![413, 415].includes(status))
      return {
        ...one,
        statuses: documented(501, ...successes, 400),
        document: 'x-not-implemented: 501, or its example',
      };
    return { ...one, ...more };
  }

  function taken(name: string, change: Change, document: string, statuses: readonly number[] = []): Case {
    // An id that fits the schema need not be anybody's.
    const missing = parameters.some((one) => one.in === 'path') ? documented(404) : [];
    const sent = change.body === undefined ? ordinary : change.body;
    const expected = { holds: holds(change, sent), next: (reply: Reply, body: unknown) => followUp(reply, body) };
    return make(name, change, [...successes, ...missing, ...statuses], document, expected);
  }

  const refused = (name: string, change: Change, document: string): Case =>
    make(name, change, documented(400), `400: ${document}`);

  /** What the reply must show of what was asked. */
  function holds(change: Change, sent: string | Uint8Array | null): NonNullable<Case['holds']> {
    return (reply, body) => {
      if (!successes.includes(reply.status)) return [];
      if (Array.isArray(body)) return heldByList(body, change.query ?? [], reply);
      return typeof sent === 'string' && isRecord(body) ? heldByStored(sent, body) : [];
    };
  }

  /** What was sent comes back as it was sent, to the digit, where the reply has a property of that name. */
  function heldByStored(sent: string, body: Readonly<Record<string, unknown>>): Problem[] {
    const value = parseJson(sent);
    // Validation makes an int64 exact, and puts defaults where the document has them.
    if (readSent?.(value) !== true || !isRecord(value) || success === null) return [];
    const shared = propertiesOf(root, at(root, success)).filter((name) => Object.hasOwn(value, name));
    return shared
      .filter((name) => !isDeepStrictEqual(body[name], value[name]))
      .map((name) => ({
        found: `${name} came back as ${printJson(body[name])}`,
        document: `it was sent, or has the default, ${printJson(value[name])}`,
      }));
  }

  /** `limit` bounds a list, and a parameter that is called as a property of its items filters by that. */
  function heldByList(
    list: readonly unknown[],
    query: readonly (readonly [string, string])[],
    { headers }: Reply,
  ): Problem[] {
    const problems: Problem[] = [];
    const asked = new Map(query);
    const limit = parameters.find(({ name, type }) => name === 'limit' && type === 'integer');
    const most = Number(asked.get('limit') ?? limit?.default ?? Number.POSITIVE_INFINITY);
    if (list.length > most) {
      const from = asked.has('limit') ? 'limit' : 'the default of limit';
      problems.push({ found: `a list of ${list.length} items`, document: `${from} is ${most}` });
    }
    for (const [name, text] of asked) {
      const other =
        parameters.some((one) => one.name === name) &&
        list.find((item) => isRecord(item) && Object.hasOwn(item, name) && String(item[name]) !== text);
      if (other)
        problems.push({
          found: `an item with another ${name}: ${printJson(other)}`,
          document: `the query asks for ${name}=${text}`,
        });
    }
    const next = nextOf(headers);
    if (next !== null)
      for (const [name, text] of asked)
        if (name !== 'cursor' && parameters.some((one) => one.name === name) && next.searchParams.get(name) !== text)
          problems.push({
            found: `the next page is at ${next.pathname}${next.search}`,
            document: `it keeps ${name}=${text}`,
          });
    return problems;
  }

  /** Path and query of what was created; null where the reply does not say. A front door may have put a prefix before it. */
  function createdAt({ headers }: Reply): string | null {
    const path = headers.get('location')?.replace(/^https?:\/\/[^/]+/, '') ?? '';
    const start = path.indexOf(`${basePath}/`);
    return operation.method !== 'post' || start === -1 ? null : path.slice(start);
  }

  /** After a create its address is asked for what was created, and that may be changed and removed. */
  function followUp(reply: Reply, body: unknown): Case[] {
    const target = createdAt(reply);
    const get = target === null ? null : judge.operationOf('GET', target);
    if (target === null || get === null || !get.implemented || isRemoved(get, now)) return [];
    return [
      {
        group: get.id,
        name: `what ${id} just created, at its Location`,
        request: { method: 'GET', target, headers: {}, body: null, credential: 'valid' },
        statuses: [...get.responses.keys()].filter((status) => status < 300),
        document: `${id} answered Location: ${target}`,
        holds: (_, found) =>
          isDeepStrictEqual(found, body)
            ? []
            : [{ found: printJson(found), document: `${id} answered ${printJson(body)}` }],
      },
    ];
  }

  /** What only the run's own creation may be asked: to change, and to end. */
  function ofOwn(reply: Reply): Case[] {
    const target = createdAt(reply);
    if (target === null) return [];
    return ['PUT', 'PATCH', 'DELETE'].flatMap((method) => {
      const other = judge.operationOf(method, target);
      if (other === null || !other.implemented) return [];
      const value =
        other.body === null ? null : (examplesAt(contract, other.body)[0]?.value ?? sample(root, at(root, other.body)));
      return {
        group: other.id,
        name: `what ${id} just created`,
        request: {
          method,
          target,
          headers: other.body === null ? {} : json,
          body: other.body === null ? null : printJson(value),
          credential: 'valid' as const,
        },
        statuses: isRemoved(other, now) ? [410] : [...other.responses.keys()].filter((status) => status < 300),
        document: `${id} answered Location: ${target}`,
      };
    });
  }

  /** The pages behind a list, each new, until there is none or enough. */
  function walk(one: Case, met: readonly string[] = [], page = 2): Case {
    const next = (reply: Reply, body: unknown): Case[] => {
      const link = nextOf(reply.headers);
      if (link === null || !Array.isArray(body) || page > pagesWalked) return [];
      const known = [...met, ...body.map((item) => printJson(item))];
      const target = `${link.pathname}${link.search}`;
      const own = holds({ query: [...link.searchParams] }, null);
      const following: Case = {
        group: id,
        name: `page ${page} of ${one.request.target}`,
        request: { ...one.request, target },
        statuses: successes,
        document: `the page before has Link: <${target}>; rel="next"`,
        holds: (nextReply, list) => {
          const again = Array.isArray(list) ? list.find((item) => known.includes(printJson(item))) : undefined;
          return [
            ...own(nextReply, list),
            ...(again === undefined
              ? []
              : [{ found: `${printJson(again)} once more`, document: 'a walk meets each item once' }]),
          ];
        },
      };
      return [walk(following, known, page + 1)];
    };
    return { ...one, next };
  }

  function validCases(): Case[] {
    if (!harmless) return [];
    const plain = taken('as the document has it', {}, 'what is required, and nothing else');
    return [
      ...(operation.body !== null ? [] : [isList ? withHead(walk(plain)) : safe ? withHead(plain) : plain]),
      ...examples.map(({ name, value }) => {
        const one = taken(`the example ${name}`, { body: printJson(value) }, 'the example of requestBody');
        return {
          ...one,
          next: (reply: Reply, body: unknown) => [...followUp(reply, body).map(withHead), ...ofOwn(reply)],
        };
      }),
      ...bodies
        .filter(({ valid }) => valid)
        .map((candidate) =>
          taken(`body${candidate.place} ${candidate.what}`, { body: printJson(candidate.value) }, candidate.rule),
        ),
      ...texts.flatMap(({ parameter, list }) =>
        list
          .filter(({ valid }) => valid)
          .map(({ name, rule, texts: [text = ''] }) => {
            const one = taken(
              `${parameter.in}/${parameter.name} ${name}`,
              changeOf(parameter, [text]),
              rule,
              opaque(contract, parameter) ? documented(400) : [],
            );
            return isList && parameter.name === 'limit' ? walk(one) : one;
          }),
      ),
      taken(
        'with a query parameter that nobody knows',
        { query: [['somethingUnknown', '1']] },
        'unknown query parameters are ignored',
      ),
      ...(operation.body === null
        ? []
        : [
            taken(
              'with charset=utf-8',
              { headers: { 'content-type': 'application/json; charset=utf-8' } },
              'application/json in UTF-8',
            ),
            taken(
              `with a body of ${bodyLimit} bytes`,
              { body: padded(ordinary ?? '', bodyLimit) },
              'at most 64 KiB of JSON',
            ),
          ]),
    ];
  }

  function invalidCases(): Case[] {
    const outside = texts.flatMap(({ parameter, list }) =>
      list
        .filter(({ valid }) => !valid)
        .map(({ name, rule, texts: given }) =>
          refused(`${parameter.in}/${parameter.name} ${name}`, changeOf(parameter, given), rule),
        ),
    );
    const left = parameters
      .filter(({ in: where, required }) => where === 'query' && required)
      .map(({ name }) => {
        const one = refused(`query/${name} left out`, {}, `${name} is required`);
        return {
          ...one,
          request: {
            ...one.request,
            target: one.request.target.replace(new RegExp(`([?&])${encodeURIComponent(name)}=[^&]*&?`), '$1'),
          },
        };
      });
    const [first] = outside;
    const head = safe && first !== undefined && !removed && operation.implemented ? [withHead(first)] : [];
    if (operation.body === null) return [...head, ...outside.slice(head.length), ...left];
    const broken: readonly (readonly [string, string | Uint8Array])[] = [
      ['empty', ''],
      ['cut off', (ordinary ?? '').slice(0, -1)],
      ['of two values', `${ordinary} ${ordinary}`],
      ['in single quotes', (ordinary ?? '').replaceAll('"', "'")],
      ['that is no UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')])],
    ];
    return [
      ...outside,
      ...left,
      ...bodies
        .filter(({ valid }) => !valid)
        .map((candidate) =>
          refused(`body${candidate.place} ${candidate.what}`, { body: printJson(candidate.value) }, candidate.rule),
        ),
      ...broken.map(([name, body]) => refused(`a body ${name}`, { body }, 'the body is JSON')),
      ...(
        [
          ['text/plain', { 'content-type': 'text/plain' }],
          ['application/x-www-form-urlencoded', { 'content-type': 'application/x-www-form-urlencoded' }],
          ['no Content-Type', {}],
          ['charset=iso-8859-1', { 'content-type': 'application/json; charset=iso-8859-1' }],
          ['Content-Encoding: gzip', { ...json, 'content-encoding': 'gzip' }],
        ] as const
      ).map(([name, headers]) =>
        make(
          `a body with ${name}`,
          { headers },
          documented(415),
          '415: the body is application/json in UTF-8, without Content-Encoding',
        ),
      ),
      make(
        `a body of ${bodyLimit + 1} bytes`,
        { body: padded(ordinary ?? '', bodyLimit + 1) },
        documented(413),
        '413: at most 64 KiB of JSON',
      ),
      make(
        `a body of ${bodyLimit + 1} bytes that is text/plain`,
        { body: padded(ordinary ?? '', bodyLimit + 1), headers: { 'content-type': 'text/plain' } },
        documented(415),
        '415 comes before 413',
      ),
    ];
  }

  function accessCases(): Case[] {
    const outside = texts.flatMap(({ parameter, list }) =>
      list
        .filter(({ valid }) => !valid)
        .slice(0, 1)
        .map((one) => changeOf(parameter, one.texts)),
    )[0];
    const asked = (name: string, change: Change): Case =>
      make(name, change, [401], '401 before anything else: every operation asks for a bearer key', {
        holds: ({ headers }) => {
          const challenge = headers.get('www-authenticate') ?? '';
          const presented = change.credential === 'unknown' || change.credential === 'malformed';
          const good =
            /^Bearer realm="/i.test(challenge) &&
            challenge.includes('error="invalid_token"') === presented &&
            (presented || !challenge.includes('error='));
          const expected = presented
            ? 'Bearer with a realm and error="invalid_token"'
            : 'Bearer with a realm, and no error where no key was sent (RFC 6750, 3.1)';
          return good ? [] : [{ found: `WWW-Authenticate: ${challenge}`, document: expected }];
        },
      });
    const without = asked('without a key', { credential: 'none' });
    return [
      safe ? withHead(without) : without,
      asked('with something that is no key', { credential: 'malformed' }),
      asked('with a key that nobody was given', { credential: 'unknown' }),
      asked('with Basic credentials', { credential: 'basic' }),
      ...(outside === undefined
        ? []
        : [asked('without a key, with a parameter that is wrong', { ...outside, credential: 'none' })]),
      ...(operation.body === null
        ? []
        : [
            asked('without a key, with a body that is no JSON', { body: '{', credential: 'none' }),
            asked('without a key, with a body that breaks the schema', { body: '{}', credential: 'none' }),
            asked('without a key, with text/plain', { headers: { 'content-type': 'text/plain' }, credential: 'none' }),
            asked('without a key, with a body that is too large', {
              body: padded(ordinary ?? '', bodyLimit + 1),
              credential: 'none',
            }),
            asked('with a key that nobody was given, with a body that is no JSON', {
              body: '{',
              credential: 'unknown',
            }),
          ]),
      make(
        'with headers that are too large',
        { headers: { ...(ordinary === null ? {} : json), 'x-large': 'x'.repeat(headerLimit) } },
        documented(431),
        '431: at most 16 KiB of headers',
      ),
    ];
  }

  const creates = operation.method === 'post' && operation.implemented && !removed;

  function mixed(number: number, random: () => number): Case {
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const wrong = number % 2 === 0 ? Math.floor(random() * (texts.length + (bodies.length > 0 ? 1 : 0))) : -1;
    const chosen = texts.flatMap(({ parameter, list }, index) => {
      if (index !== wrong && parameter.in === 'query' && !parameter.required && random() < 0.5) return [];
      const one = pick(list.filter(({ valid }) => valid === (index !== wrong)));
      return one === undefined ? [] : [{ parameter, one, index }];
    });
    const changes = chosen.map(({ parameter, one }) => changeOf(parameter, one.texts));
    const body = mixedBody(bodies, random, wrong !== texts.length);
    const change: Change = {
      path: Object.assign({}, ...changes.map(({ path }) => path)),
      query: changes.flatMap(({ query }) => query ?? []),
      ...(body === null ? {} : { body: printJson(body) }),
    };
    const isWrong = chosen.some(({ index }) => index === wrong) || (body !== null && wrong === texts.length);
    const name = `mixture ${number}: ${[...chosen.map(({ parameter, one }) => `${parameter.name} ${one.name}`), ...(body === null ? [] : ['a body'])].join(', ')}`;
    if (isWrong) return refused(name, change, 'one of its values is outside');
    const some = chosen.some(({ parameter }) => opaque(contract, parameter)) ? documented(400) : [];
    return taken(name, change, 'each of its values is inside', some);
  }

  return {
    all() {
      const own =
        operation.implemented && !removed
          ? [...validCases(), ...invalidCases()]
          : [taken('as the document has it', {}, 'what is required')];
      // So many that a list without a limit must leave some out.
      const enough = creates
        ? pageSize(contract) + 1 - own.filter(({ statuses }) => statuses.some((status) => status < 300)).length
        : 0;
      const more = Array.from({ length: Math.max(0, enough) }, (_, index) =>
        taken(`one more, ${index + 1}`, {}, 'enough for a second page'),
      );
      return [...own, ...more, ...accessCases()];
    },
    mixed: harmless ? mixed : null,
  };
}

/** Valid values of single properties put together; or, if not `good`, one candidate that is wrong by itself. */
function mixedBody(bodies: readonly Candidate[], random: () => number, good: boolean): unknown {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (bodies.length === 0) return null;
  const one = pick(bodies.filter(({ valid }) => valid === good))?.value ?? null;
  const other = pick(bodies.filter(({ valid, place }) => valid && /^\/[^/]+$/.test(place)));
  if (!good || other === undefined || !isRecord(one) || !isRecord(other.value)) return one;
  const name = other.place.slice(1);
  return { ...one, [name]: other.value[name] };
}

function changeOf(parameter: Parameter, given: readonly string[]): Change {
  return parameter.in === 'path'
    ? { path: { [parameter.name]: given[0] ?? '' } }
    : { query: given.map((text) => [parameter.name, text] as const) };
}

/** How many items a list has at most where nobody says so: the largest default of a `limit`. */
function pageSize({ operations }: Contract): number {
  const defaults = [...operations.values()].flatMap(({ parameters }) =>
    parameters.filter(({ name }) => name === 'limit').map((one) => Number(one.default)),
  );
  return Math.max(0, ...defaults.filter((size) => size <= 200));
}

function kindOf({ document: { root } }: Contract, pointer: string): readonly string[] {
  return types(resolve(root, at(root, pointer)));
}

/** `text` with blanks before its end, so that it has `bytes` bytes. */
function padded(text: string, bytes: number): string {
  return text + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(text)));
}

function isRemoved({ deprecation }: Operation, now: number): boolean {
  return deprecation !== null && now >= deprecation.sunset * 1000;
}
