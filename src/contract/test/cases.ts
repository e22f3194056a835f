import { isDeepStrictEqual } from 'node:util';
import { parseJson, printJson } from '../../json.ts';
import { compileSchemas } from '../compile.ts';
import type { Contract } from '../contract.ts';
import { at, entries, type Json, member, resolve } from '../document.ts';
import { bodyLimit, headerLimit } from '../limits.ts';
import { methods, type Operation, type Parameter } from '../operations.ts';
import { types } from '../schema.ts';
import { buildJudge, isRecord, type Judge, type Problem, type Reply } from './judge.ts';
import { type Candidate, candidates, propertiesOf, sample } from './values.ts';

/** What a request shows of a key: the valid one, one that nobody was given, something that is none, another scheme, nothing. */
export type Credential = 'valid' | 'unknown' | 'malformed' | 'basic' | 'none';

export interface Request {
  readonly method: string;
  /** Path and query, as they go over the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly credential: Credential;
}

/** One request, and what the document lets it be answered with. */
export interface Case {
  /** The operationId, or `paths and methods` where no operation is asked. */
  readonly group: string;
  readonly name: string;
  readonly request: Request;
  readonly statuses: readonly number[];
  /** Why these: what the document says. */
  readonly document: string;
  /** What else must hold of an expected reply, its body exact. */
  readonly holds?: (reply: Reply, body: unknown) => readonly Problem[];
  /** What an expected reply leads to. */
  readonly then?: (reply: Reply, body: unknown) => readonly Case[];
}

export const elsewhere = 'paths and methods';

/** Pages that are followed from one list. */
const pagesWalked = 3;

const json = { 'content-type': 'application/json' };

/**
 * Requests for every operation of the contract, valid and not, made from its schemas and examples, and requests that
 * no operation answers. Deterministic. What changes something it did not make itself is not among them. `now`, in Unix
 * milliseconds, decides whether a deprecated operation is removed.
 */
export function casesOf(contract: Contract, now: number): Case[] {
  const judge = buildJudge(contract);
  // What is created first can be listed afterwards.
  const order = [...contract.operations.values()].sort((a, b) => Number(b.method === 'post') - Number(a.method === 'post'));
  const makers = order.map((operation) => buildMaker(contract, judge, operation, now));
  return [...makers.flatMap((maker) => maker.cases()), ...casesElsewhere(contract, judge)];
}

/** Random cases without end, from `random` in [0, 1): valid values mixed, every other time with one that is not. */
export function* mixedCases(contract: Contract, now: number, random: () => number): Generator<Case> {
  const judge = buildJudge(contract);
  const makers = [...contract.operations.values()].map((operation) => buildMaker(contract, judge, operation, now));
  for (let number = 1; ; number++) for (const maker of makers) yield maker.mixed(number, random);
}

/** The candidates of a schema on which `candidates` and the compiled schema agree. */
export function agreedCandidates(contract: Contract, pointer: string): { agreed: Candidate[]; disputed: Candidate[] } {
  const validate = compileSchemas(contract)(pointer);
  const { root } = contract.document;
  const judged = candidates(root, at(root, pointer)).map((candidate) => {
    // As it is read from the wire: an int64 inside an object exactly, as it is held by that; one by itself is a bigint.
    const value = typeof candidate.value === 'bigint' ? candidate.value : parseJson(printJson(candidate.value));
    return { candidate, agrees: validate(value) === candidate.valid };
  });
  const those = (agrees: boolean) => judged.filter((one) => one.agrees === agrees).map(({ candidate }) => candidate);
  return { agreed: those(true), disputed: those(false) };
}

interface Change {
  readonly path?: Readonly<Record<string, string>>;
  /** Name and text in turn, so that one can be given twice. */
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: Credential;
}

interface Texts {
  readonly parameter: Parameter;
  readonly list: readonly { readonly name: string; readonly rule: string; readonly valid: boolean; readonly texts: readonly string[] }[];
}

function buildMaker(contract: Contract, judge: Judge, operation: Operation, now: number) {
  const { basePath, document: { root } } = contract;
  const { id, parameters } = operation;
  const removed = operation.deprecation !== null && now >= operation.deprecation.sunset * 1000;
  const documented = (...statuses: number[]) => statuses.filter((status) => operation.responses.has(status));
  const successes = [...operation.responses.keys()].filter((status) => status < 300);
  const safe = operation.method === 'get';
  const bodies = operation.body === null ? [] : agreedCandidates(contract, operation.body).agreed.filter(({ value }) => printJson(value).length < bodyLimit / 4);
  const examples = operation.body === null ? [] : examplesAt(contract, operation.body);
  const ordinary = operation.body === null ? null : printJson(examples[0]?.value ?? sample(root, at(root, operation.body)));
  const texts: readonly Texts[] = parameters.map((parameter) => ({ parameter, list: textsOf(contract, parameter, safe) }));
  const ordinaryText = (name: string) => texts.find(({ parameter }) => parameter.name === name)?.list.find(({ valid }) => valid)?.texts[0] ?? '';
  const read = compileSchemas(contract);
  const readSent = operation.body === null ? null : read(operation.body);
  const success = successes.map((status) => operation.responses.get(status)?.schema ?? null).find((schema) => schema !== null) ?? null;
  const isList = success !== null && kindOf(contract, success).includes('array');

  function request(change: Change): Request {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(change.path?.[name] ?? ordinaryText(name)));
    const required = parameters.filter((one) => one.in === 'query' && one.required && !change.query?.some(([name]) => name === one.name));
    const query = [...required.map(({ name }) => [name, ordinaryText(name)] as const), ...(change.query ?? [])];
    const search = query.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&');
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
  function make(name: string, change: Change, statuses: readonly number[], document: string, more: Pick<Case, 'holds' | 'then'> = {}): Case {
    const one = { group: id, name, request: request(change), statuses, document };
    if (statuses.includes(401) || statuses.includes(431)) return { ...one, ...more };
    if (removed) return { ...one, statuses: [410], document: `${id} was removed on ${operation.deprecation?.sunsetDay}: 410 to every valid key` };
    const [status = 0] = statuses;
    if (!operation.implemented && ![413, 415].includes(status))
      return { ...one, statuses: documented(501, ...successes, 400), document: 'x-not-implemented: 501, or its example' };
    return { ...one, ...more };
  }

  function taken(name: string, change: Change, document: string, statuses: readonly number[] = []): Case {
    // An id that fits the schema need not be anybody's.
    const missing = parameters.some((one) => one.in === 'path') ? documented(404) : [];
    const sent = change.body === undefined ? ordinary : change.body;
    const expected = { holds: holds(change, sent), then: (reply: Reply, body: unknown) => followUp(reply, body) };
    return make(name, change, [...successes, ...missing, ...statuses], document, expected);
  }

  const refused = (name: string, change: Change, document: string): Case => make(name, change, documented(400), `400: ${document}`);

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
      .map((name) => ({ found: `${name} came back as ${printJson(body[name])}`, document: `it was sent, or has the default, ${printJson(value[name])}` }));
  }

  /** `limit` bounds a list, and a parameter that is called as a property of its items filters by that. */
  function heldByList(list: readonly unknown[], query: readonly (readonly [string, string])[], { headers }: Reply): Problem[] {
    const problems: Problem[] = [];
    const asked = new Map(query);
    const limit = parameters.find(({ name, type }) => name === 'limit' && type === 'integer');
    const most = Number(asked.get('limit') ?? limit?.default ?? Number.POSITIVE_INFINITY);
    if (list.length > most) {
      const from = asked.has('limit') ? 'limit' : 'the default of limit';
      problems.push({ found: `a list of ${list.length} items`, document: `${from} is ${most}` });
    }
    for (const [name, text] of asked) {
      const other = parameters.some((one) => one.name === name) && list.find((item) => isRecord(item) && Object.hasOwn(item, name) && String(item[name]) !== text);
      if (other) problems.push({ found: `an item with another ${name}: ${printJson(other)}`, document: `the query asks for ${name}=${text}` });
    }
    const next = nextOf(headers);
    if (next !== null)
      for (const [name, text] of asked)
        if (name !== 'cursor' && parameters.some((one) => one.name === name) && next.searchParams.get(name) !== text)
          problems.push({ found: `the next page is at ${next.pathname}${next.search}`, document: `it keeps ${name}=${text}` });
    return problems;
  }

  /** After a create its address is asked for what was created, and that may be changed and removed. */
  function followUp(reply: Reply, body: unknown): Case[] {
    const location = reply.headers.get('location');
    if (location === null || operation.method !== 'post') return [];
    const target = location.replace(/^https?:\/\/[^/]+/, '').replace(new RegExp(`^.*?(?=${basePath}/)`), '');
    const get = judge.operationOf('GET', target);
    if (get === null) return [];
    const gone = get.deprecation !== null && now >= get.deprecation.sunset * 1000;
    if (gone) return [];
    return [
      {
        group: get.id,
        name: `what ${id} just created, at its Location`,
        request: { method: 'GET', target, headers: {}, body: null, credential: 'valid' },
        statuses: [...get.responses.keys()].filter((status) => status < 300),
        document: `${id} answered Location: ${location}`,
        holds: (_, found) =>
          isDeepStrictEqual(found, body) ? [] : [{ found: printJson(found), document: `${id} answered ${printJson(body)}` }],
      },
    ];
  }

  /** What only the run's own creation may be asked: to change, and to end. */
  function ofOwn(reply: Reply): Case[] {
    const target = reply.headers.get('location')?.replace(/^https?:\/\/[^/]+/, '').replace(new RegExp(`^.*?(?=${basePath}/)`), '');
    if (target === undefined) return [];
    return ['PUT', 'PATCH', 'DELETE'].flatMap((method) => {
      const other = judge.operationOf(method, target);
      if (other === null || !other.implemented) return [];
      const value = other.body === null ? null : (examplesAt(contract, other.body)[0]?.value ?? sample(root, at(root, other.body)));
      return {
        group: other.id,
        name: `what ${id} just created`,
        request: { method, target, headers: other.body === null ? {} : json, body: other.body === null ? null : printJson(value), credential: 'valid' as const },
        statuses: other.deprecation !== null && now >= other.deprecation.sunset * 1000 ? [410] : [...other.responses.keys()].filter((status) => status < 300),
        document: `${id} answered Location: ${target}`,
      };
    });
  }

  /** The pages behind a list, each new, until there is none or enough. */
  function walk(one: Case, met: readonly string[] = [], page = 2): Case {
    const then = (reply: Reply, body: unknown): Case[] => {
      const next = nextOf(reply.headers);
      if (next === null || !Array.isArray(body) || page > pagesWalked) return [];
      const known = [...met, ...body.map((item) => printJson(item))];
      const target = `${next.pathname}${next.search}`;
      const own = holds({ query: [...next.searchParams] }, null);
      const following: Case = {
        group: id,
        name: `page ${page} of ${one.request.target}`,
        request: { ...one.request, target },
        statuses: successes,
        document: `the page before has Link: <${target}>; rel="next"`,
        holds: (nextReply, list) => {
          const again = Array.isArray(list) ? list.find((item) => known.includes(printJson(item))) : undefined;
          return [...own(nextReply, list), ...(again === undefined ? [] : [{ found: `${printJson(again)} once more`, document: 'a walk meets each item once' }])];
        },
      };
      return [walk(following, known, page + 1)];
    };
    return { ...one, then };
  }

  function validCases(): Case[] {
    // Without an id it changes or removes what others made.
    if (!safe && operation.method !== 'post' && !parameters.some((one) => one.in === 'path')) return [];
    const plain = taken('as the document has it', {}, 'what is required, and nothing else');
    return [
      ...(operation.body !== null ? [] : [isList ? withHead(walk(plain)) : safe ? withHead(plain) : plain]),
      ...examples.map(({ name, value }) => {
        const one = taken(`the example ${name}`, { body: printJson(value) }, 'the example of requestBody');
        return { ...one, then: (reply: Reply, body: unknown) => [...followUp(reply, body).map(withHead), ...ofOwn(reply)] };
      }),
      ...bodies.filter(({ valid }) => valid).map((candidate) => taken(`body${candidate.place} ${candidate.what}`, { body: printJson(candidate.value) }, candidate.rule)),
      ...texts.flatMap(({ parameter, list }) =>
        list
          .filter(({ valid }) => valid)
          .map(({ name, rule, texts: [text = ''] }) => {
            const one = taken(`${parameter.in}/${parameter.name} ${name}`, changeOf(parameter, [text]), rule, opaque(contract, parameter) ? documented(400) : []);
            return isList && parameter.name === 'limit' ? walk(one) : one;
          }),
      ),
      taken('with a query parameter that nobody knows', { query: [['somethingUnknown', '1']] }, 'unknown query parameters are ignored'),
      ...(operation.body === null
        ? []
        : [
            taken('with charset=utf-8', { headers: { 'content-type': 'application/json; charset=utf-8' } }, 'application/json in UTF-8'),
            taken(`with a body of ${bodyLimit} bytes`, { body: padded(ordinary ?? '', bodyLimit) }, 'at most 64 KiB of JSON'),
          ]),
    ];
  }

  function invalidCases(): Case[] {
    const outside = texts.flatMap(({ parameter, list }) =>
      list
        .filter(({ valid }) => !valid)
        .map(({ name, rule, texts: given }) => refused(`${parameter.in}/${parameter.name} ${name}`, changeOf(parameter, given), rule)),
    );
    const left = parameters
      .filter(({ in: where, required }) => where === 'query' && required)
      .map(({ name }) => {
        const one = refused(`query/${name} left out`, {}, `${name} is required`);
        return { ...one, request: { ...one.request, target: one.request.target.replace(new RegExp(`([?&])${encode(name)}=[^&]*&?`), '$1') } };
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
      ...bodies.filter(({ valid }) => !valid).map((candidate) => refused(`body${candidate.place} ${candidate.what}`, { body: printJson(candidate.value) }, candidate.rule)),
      ...broken.map(([name, body]) => refused(`a body ${name}`, { body }, 'the body is JSON')),
      ...(
        [
          ['text/plain', { 'content-type': 'text/plain' }],
          ['application/x-www-form-urlencoded', { 'content-type': 'application/x-www-form-urlencoded' }],
          ['no Content-Type', {}],
          ['charset=iso-8859-1', { 'content-type': 'application/json; charset=iso-8859-1' }],
          ['Content-Encoding: gzip', { ...json, 'content-encoding': 'gzip' }],
        ] as const
      ).map(([name, headers]) => make(`a body with ${name}`, { headers }, documented(415), '415: the body is application/json in UTF-8, without Content-Encoding')),
      make(`a body of ${bodyLimit + 1} bytes`, { body: padded(ordinary ?? '', bodyLimit + 1) }, documented(413), '413: at most 64 KiB of JSON'),
      make(`a body of ${bodyLimit + 1} bytes that is text/plain`, { body: padded(ordinary ?? '', bodyLimit + 1), headers: { 'content-type': 'text/plain' } }, documented(415), '415 comes before 413'),
    ];
  }

  function accessCases(): Case[] {
    const outside = texts.flatMap(({ parameter, list }) => list.filter(({ valid }) => !valid).slice(0, 1).map((one) => changeOf(parameter, one.texts)))[0];
    const asked = (name: string, change: Change): Case =>
      make(name, change, [401], '401 before anything else: every operation asks for a bearer key', {
        holds: ({ headers }) => {
          const challenge = headers.get('www-authenticate') ?? '';
          const presented = change.credential === 'unknown' || change.credential === 'malformed';
          const good = /^Bearer realm="/i.test(challenge) && challenge.includes('error="invalid_token"') === presented && (presented || !challenge.includes('error='));
          const expected = presented ? 'Bearer with a realm and error="invalid_token"' : 'Bearer with a realm, and no error where no key was sent (RFC 6750, 3.1)';
          return good ? [] : [{ found: `WWW-Authenticate: ${challenge}`, document: expected }];
        },
      });
    const without = asked('without a key', { credential: 'none' });
    return [
      safe ? withHead(without) : without,
      asked('with something that is no key', { credential: 'malformed' }),
      asked('with a key that nobody was given', { credential: 'unknown' }),
      asked('with Basic credentials', { credential: 'basic' }),
      ...(outside === undefined ? [] : [asked('without a key, with a parameter that is wrong', { ...outside, credential: 'none' })]),
      ...(operation.body === null
        ? []
        : [
            asked('without a key, with a body that is no JSON', { body: '{', credential: 'none' }),
            asked('without a key, with a body that breaks the schema', { body: '{}', credential: 'none' }),
            asked('without a key, with text/plain', { headers: { 'content-type': 'text/plain' }, credential: 'none' }),
            asked('without a key, with a body that is too large', { body: padded(ordinary ?? '', bodyLimit + 1), credential: 'none' }),
            asked('with a key that nobody was given, with a body that is no JSON', { body: '{', credential: 'unknown' }),
          ]),
      make('with headers that are too large', { headers: { ...(ordinary === null ? {} : json), 'x-large': 'x'.repeat(headerLimit) } }, documented(431), '431: at most 16 KiB of headers'),
    ];
  }

  const creates = operation.method === 'post' && operation.implemented && !removed;

  return {
    cases(): Case[] {
      const own = operation.implemented && !removed ? [...validCases(), ...invalidCases()] : [taken('as the document has it', {}, 'what is required')];
      // So many that a list without a limit must leave some out.
      const enough = creates ? pageSize(contract) + 1 - own.filter(({ statuses }) => statuses.some((status) => status < 300)).length : 0;
      const more = Array.from({ length: Math.max(0, enough) }, (_, index) => taken(`one more, ${index + 1}`, {}, 'enough for a second page'));
      return [...own, ...more, ...accessCases()];
    },
    mixed(number: number, random: () => number): Case {
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
    },
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

/** What no operation answers: methods that a path does not have, OPTIONS, paths that there are not. */
function casesElsewhere(contract: Contract, judge: Judge): Case[] {
  const { basePath, operations, document: { root } } = contract;
  const make = (name: string, method: string, target: string, status: number, document: string, more: Partial<Request> = {}): Case => ({
    group: elsewhere,
    name,
    request: { method, target, headers: {}, body: null, credential: 'valid', ...more },
    statuses: [status],
    document: `${status}: ${document}`,
  });
  const paths = [...new Set([...operations.values()].map(({ path }) => path))].map((path) => {
    const parameters = [...operations.values()].find((one) => one.path === path)?.parameters ?? [];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((one) => one.name === name);
      return encode(String(sample(root, at(root, parameter?.schema ?? '#'))));
    });
    return { path, target: basePath + filled };
  });
  const strange = [`${basePath}/no-such-path`, ...paths.map(({ target }) => `${target}/`), ...paths.map(({ target }) => `${target}/no-such-path`)].filter(
    (target) => judge.allowed(target) === null,
  );
  const broken = { headers: json, body: '{', credential: 'none' } as const;
  return [
    ...paths.flatMap(({ path, target }) => {
      const all = judge.allowed(target) ?? [];
      const others = methods.map((method) => method.toUpperCase()).filter((method) => !all.includes(method));
      const says = `${path} has ${all.join(', ')}`;
      return [
        ...others.map((method) => make(`${method} ${path}`, method, target, 405, says)),
        ...others.slice(0, 1).map((method) => make(`${method} ${path} without a key, with a body that is no JSON`, method, target, 405, `${says}; 405 comes before 401`, broken)),
        make(`OPTIONS ${path} without a key`, 'OPTIONS', target, 204, says, { credential: 'none' }),
      ];
    }),
    ...strange.map((target) => make(`GET ${target}`, 'GET', target, 404, 'a path that does not exist')),
    ...strange.slice(0, 1).flatMap((target) => [
      make(`POST ${target} without a key, with a body that is no JSON`, 'POST', target, 404, 'a path that does not exist; 404 comes before 401', broken),
      make(`OPTIONS ${target}`, 'OPTIONS', target, 404, 'a path that does not exist', { credential: 'none' }),
    ]),
  ];
}

/** The same once more with HEAD: status and headers are to be those of GET. */
function withHead(one: Case): Case {
  const common = /^(x-request-id|x-ratelimit-.*|ratelimit|ratelimit-policy)$/;
  const transport = /^(date|age|connection|keep-alive|transfer-encoding)$/;
  return {
    ...one,
    then: (get, body) => [
      {
        group: one.group,
        name: `HEAD: ${one.name}`,
        request: { ...one.request, method: 'HEAD' },
        statuses: [get.status],
        document: `HEAD answers as GET, which answered ${get.status}`,
        holds: ({ headers }) => {
          // Of a list, others may have added to it meanwhile.
          const moving = Array.isArray(body) ? ['content-length', 'link', 'etag'] : [];
          const names = [...new Set([...get.headers.keys(), ...headers.keys()])].filter((name) => !transport.test(name) && !moving.includes(name));
          return names
            .filter((name) => (common.test(name) ? get.headers.has(name) !== headers.has(name) : get.headers.get(name) !== headers.get(name)))
            .map((name) => ({ found: `HEAD with ${name}: ${headers.get(name)}`, document: `GET has ${name}: ${get.headers.get(name)}` }));
        },
      },
      ...(one.then?.(get, body) ?? []),
    ],
  };
}

/** A parameter's texts at the edges of its schema, and texts that only look like a value. */
function textsOf(contract: Contract, parameter: Parameter, safe: boolean): Texts['list'] {
  const { root } = contract.document;
  const { agreed } = agreedCandidates(contract, parameter.schema);
  const inPath = parameter.in === 'path';
  const primitive = agreed
    .filter(({ value }) => (parameter.type === 'string' ? typeof value === 'string' : ['number', 'bigint', 'boolean'].includes(typeof value)))
    .filter(({ value }) => (parameter.type === 'boolean') === (typeof value === 'boolean'))
    .map(({ what, rule, valid, value }) => ({ name: what, rule, valid, texts: [String(value)] }))
    // An address cannot carry half of a surrogate pair, nor a segment be empty.
    .filter(({ texts: [text = ''] }) => text.isWellFormed() && !(inPath && (text === '' || /^\.\.?$/.test(text))));
  const [example] = [member(parameterAt(contract, parameter), 'example'), member(parameterAt(contract, parameter), 'examples')].filter((one) => typeof one !== 'object');
  const examples = example === undefined ? [] : [{ name: `being the example ${String(example)}`, rule: 'example', valid: true, texts: [String(example)] }];
  const usual = String(sample(root, at(root, parameter.schema)));
  const traps =
    parameter.type === 'integer'
      ? ['x', '5.0', '05', '+5', '1e1', '0x5', ' 5', '5 ', '-0', '٥', ...(inPath ? [] : [''])]
      : parameter.type === 'boolean'
        ? ['1', 'TRUE', 'yes', ...(inPath ? [] : [''])]
        : [];
  const list = [
    ...examples,
    ...primitive,
    ...traps.map((text) => ({
      name: `written ${JSON.stringify(text)}`,
      rule: parameter.type === 'integer' ? 'numbers are plain decimals in their shortest form' : 'type: boolean',
      valid: false,
      texts: [text],
    })),
    ...(inPath ? [] : [{ name: 'given twice', rule: 'a parameter is given once', valid: false, texts: [usual, usual] }]),
  ];
  // Who changes or removes must not meet what others made: an id at the edge of its range, or a long one, is nobody's.
  if (!inPath || safe) return list;
  const far = (text: string) => text.length >= 15;
  return list.filter(({ valid, texts: [text = ''] }) => !valid || far(text)).sort((a, b) => Number(b.valid) - Number(a.valid));
}

function parameterAt({ document: { root } }: Contract, { schema }: Parameter): Json | undefined {
  return resolve(root, at(root, schema.slice(0, schema.lastIndexOf('/'))));
}

/** Whether fitting the schema is not all that is asked of a text: it has to come from the server. */
function opaque(contract: Contract, parameter: Parameter): boolean {
  const declared = parameterAt(contract, parameter);
  const schema = resolve(contract.document.root, member(declared, 'schema'));
  const told = ['enum', 'const', 'pattern', 'format'].some((keyword) => member(schema, keyword) !== undefined);
  return parameter.type === 'string' && parameter.in === 'query' && !told && member(declared, 'example') === undefined;
}

function changeOf(parameter: Parameter, given: readonly string[]): Change {
  return parameter.in === 'path'
    ? { path: { [parameter.name]: given[0] ?? '' } }
    : { query: given.map((text) => [parameter.name, text] as const) };
}

/** The examples beside the schema at `pointer`. */
function examplesAt({ document: { root } }: Contract, pointer: string): { name: string; value: Json }[] {
  const content = at(root, pointer.slice(0, pointer.lastIndexOf('/')));
  const single = member(content, 'example');
  const many = entries(member(content, 'examples')).map(([name, example]) => ({ name, value: member(resolve(root, example), 'value') }));
  return [...(single === undefined ? [] : [{ name: 'example', value: single }]), ...many].flatMap(({ name, value }) =>
    value === undefined ? [] : [{ name, value }],
  );
}

/** How many items a list has at most where nobody says so: the largest default of a `limit`. */
function pageSize({ operations }: Contract): number {
  const defaults = [...operations.values()].flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'limit').map((one) => Number(one.default)));
  return Math.max(0, ...defaults.filter((size) => size <= 200));
}

function kindOf({ document: { root } }: Contract, pointer: string): readonly string[] {
  return types(resolve(root, at(root, pointer)));
}

function nextOf(headers: Headers): URL | null {
  const [, target] = /<([^>]*)>\s*;[^,<]*\brel="?next\b/.exec(headers.get('link') ?? '') ?? [];
  return target !== undefined && URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost') : null;
}

/** `text` with blanks before its end, so that it has `bytes` bytes. */
function padded(text: string, bytes: number): string {
  return text + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(text)));
}

function encode(text: string): string {
  return encodeURIComponent(text);
}
