import { SchemaComparison } from './compareSchemas.ts';
import { ApiDocument } from './document.ts';
import type { JsonValue } from './json.ts';
import { asObject } from './json.ts';
import type { Circumstances, Direction, Pair, Rule, Severity, Verdict } from './rule.ts';
import { judge } from './rule.ts';
import { addedMediaTypeRules, bodyRules, mediaTypeRules, removedMediaTypeRules } from './rules/bodies.ts';
import { schemaRules } from './rules/catalogue.ts';
import { deprecationRules, mayChangeFreely, removalRules, stabilityRules } from './rules/lifecycle.ts';
import { limitRules } from './rules/limits.ts';
import { additionRules, operationRules } from './rules/operations.ts';
import { addedParameterRules, parameterRules, removedParameterRules } from './rules/parameters.ts';
import { referenceRules } from './rules/references.ts';
import {
  addedHeaderRules,
  addedResponseRules,
  headerRules,
  removedHeaderRules,
  removedResponseRules,
  responseRules,
} from './rules/responses.ts';
import { securityRules } from './rules/security.ts';
import { serverRules } from './rules/servers.ts';
import { sunsetDate } from './sunset.ts';
import type { Alignment, Content, Operation, Parameter, Response } from './walk.ts';
import { align, alignContent, alignOperations, alignResponses, operationsOf, serversOf } from './walk.ts';

export type { JsonObject, JsonValue } from './json.ts';
export type { Severity } from './rule.ts';

/** One change between two versions of a contract, and what it means to consumers. */
export interface Change {
  /** The rule that saw it, as the catalogue names it. */
  readonly rule: string;
  readonly severity: Severity;
  /** `GET /pets (listPets)`; null: the document as a whole. */
  readonly operation: string | null;
  /** `query parameter limit`, `response 200 application/json /items/properties/status` */
  readonly place: string;
  readonly reason: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** Why a breaking change was let through. */
  readonly accepted?: string;
}

export interface DiffOptions {
  /** The day on which the comparison is made, `YYYY-MM-DD`. */
  readonly today: string;
  /** The least number of days between an announcement of removal and the removal; 180 and 30 unless said otherwise. */
  readonly graceDays?: { readonly stable: number; readonly beta: number };
}

const GRACE_DAYS = { stable: 180, beta: 30 };

/**
 * What changed for consumers between two parsed OpenAPI documents (3.0, 3.1), in the order of the document. A request
 * may only take more than before, a response only give less; nothing is reported that consumers cannot notice.
 *
 * What it does not see: what an operation does; what only prose promises; `links`, examples and foreign `x-` keywords;
 * which of two patterns allows more; that `oneOf` refuses what fits twice; files that the document refers to. A schema
 * that one body holds in several places is told at the nearest of them.
 */
export function diffContracts(
  older: unknown,
  newer: unknown,
  { today, graceDays = GRACE_DAYS }: DiffOptions,
): Change[] {
  if (sunsetDate(today) !== today) throw new RangeError(`today must be a date like 2026-11-21, not ${today}.`);
  return new Comparison(new ApiDocument(older), new ApiDocument(newer), { today, graceDays }).changes();
}

/** Where a subject is: what is found there is reported with it. */
interface Site {
  readonly operation: string | null;
  readonly place: string;
  readonly direction: Direction;
}

class Comparison {
  readonly #older: ApiDocument;
  readonly #newer: ApiDocument;
  readonly #circumstances: Circumstances;
  readonly #schemas: Readonly<Record<Direction, SchemaComparison>>;

  constructor(older: ApiDocument, newer: ApiDocument, circumstances: Circumstances) {
    this.#older = older;
    this.#newer = newer;
    this.#circumstances = circumstances;
    this.#schemas = {
      request: new SchemaComparison(older, newer, schemaRules, 'request', circumstances),
      response: new SchemaComparison(older, newer, schemaRules, 'response', circumstances),
    };
  }

  changes(): Change[] {
    const root = { older: this.#older.root, newer: this.#newer.root };
    const documents: Pair<ApiDocument> = { older: this.#older, newer: this.#newer };
    return [
      ...this.#judge(serverRules, both(documents, serversOf), wholeDocument('servers')),
      ...this.#judge(
        limitRules,
        both(root, (node) => asObject(node['x-rate-limits'])),
        wholeDocument('x-rate-limits'),
      ),
      ...this.#operations(both(documents, operationsOf)),
      // Last, when every reference has been followed.
      ...this.#judge(referenceRules, documents, wholeDocument('references')),
    ];
  }

  #operations({ older, newer }: Pair<readonly Operation[]>): Change[] {
    const { both: kept, removed, added } = alignOperations(older, newer);
    return [
      ...kept.flatMap((pair) => this.#operation(pair)),
      ...removed.flatMap((operation) => {
        const changes = this.#judge(removalRules, operation, { ...whole(operation), operation: operation.label });
        return mayChangeFreely(operation) ? changes.map(leaveToChange) : changes;
      }),
      ...added.flatMap((operation) => this.#judge(additionRules, operation, whole(operation))),
    ];
  }

  #operation(pair: Pair<Operation>): Change[] {
    const site = whole(pair.newer);
    const answers = { ...site, direction: opposite(site.direction) };
    const { older, newer } = pair;
    const changes = [
      ...this.#judge(operationRules, pair, site),
      ...this.#judge(deprecationRules, pair, site),
      ...this.#judge(securityRules, pair, { ...site, place: 'security' }),
      ...this.#servers(pair, site),
      ...this.#parameters(pair, site),
      ...this.#body(pair, site),
      ...this.#responses(pair, answers),
      ...this.#operations(both(pair, ({ callbacks }) => callbacks)),
    ];
    return [
      ...this.#judge(stabilityRules, { older, newer }, { ...site, place: 'x-stability-level' }),
      ...(mayChangeFreely(older) ? changes.map(leaveToChange) : changes),
    ];
  }

  /** Servers of the whole document are judged once; these only where an operation has its own. */
  #servers(pair: Pair<Operation>, site: Site): Change[] {
    if (pair.older.servers === undefined && pair.newer.servers === undefined) return [];
    const servers = {
      older: pair.older.servers ?? serversOf(this.#older),
      newer: pair.newer.servers ?? serversOf(this.#newer),
    };
    return this.#judge(serverRules, servers, { ...site, place: 'servers' });
  }

  #parameters({ older, newer }: Pair<Operation>, site: Site): Change[] {
    const { both: kept, removed, added } = alignMoved(align(older.parameters, newer.parameters));
    const at = ({ location, name }: Parameter): Site => ({ ...site, place: `${location} parameter ${name}` });
    return [
      ...kept.flatMap((pair) => [
        ...this.#judge(parameterRules, pair, at(pair.newer)),
        ...this.#schema(
          both(pair, ({ schema }) => schema),
          at(pair.newer),
        ),
      ]),
      ...removed.flatMap((parameter) => this.#judge(removedParameterRules, parameter, at(parameter))),
      ...added.flatMap((parameter) => this.#judge(addedParameterRules, parameter, at(parameter))),
    ];
  }

  #body({ older, newer }: Pair<Operation>, site: Site): Change[] {
    const at = { ...site, place: 'request body' };
    const judged = this.#judge(bodyRules, { older: older.body, newer: newer.body }, at);
    if (older.body === undefined || newer.body === undefined) return judged;
    return [...judged, ...this.#content({ older: older.body.content, newer: newer.body.content }, at)];
  }

  #responses({ older, newer }: Pair<Operation>, site: Site): Change[] {
    const { both: kept, removed, added } = alignResponses(older, newer);
    const at = ({ status }: Response): Site => ({
      ...site,
      place: `response ${status === 'DEFAULT' ? 'default' : status}`,
    });
    return [
      ...kept.flatMap((pair) =>
        this.#response(pair, at(pair.older.status === pair.newer.status ? pair.newer : special(pair))),
      ),
      ...removed.flatMap((response) => this.#judge(removedResponseRules, response, at(response))),
      ...added.flatMap((response) => this.#judge(addedResponseRules, response, at(response))),
    ];
  }

  #response(pair: Pair<Response>, site: Site): Change[] {
    const { both: kept, removed, added } = align(pair.older.headers, pair.newer.headers);
    const at = (name: string): Site => ({ ...site, place: `${site.place} header ${name}` });
    return [
      ...this.#judge(responseRules, pair, site),
      ...kept.flatMap((headers) => [
        ...this.#judge(headerRules, headers, at(headers.newer.name)),
        ...this.#schema(
          both(headers, ({ schema }) => schema),
          at(headers.newer.name),
        ),
      ]),
      ...removed.flatMap((header) => this.#judge(removedHeaderRules, header, at(header.name))),
      ...added.flatMap((header) => this.#judge(addedHeaderRules, header, at(header.name))),
      ...this.#content(
        both(pair, ({ content }) => content),
        site,
      ),
    ];
  }

  #content({ older, newer }: Pair<Content>, site: Site): Change[] {
    const { both: kept, removed, added } = alignContent(older, newer);
    const at = (name: string): Site => ({ ...site, place: `${site.place} ${name}` });
    return [
      ...kept.flatMap((pair) => [
        ...this.#judge(mediaTypeRules, pair, at(pair.newer.name)),
        ...this.#schema(
          both(pair, ({ schema }) => schema),
          at(pair.newer.name),
        ),
      ]),
      ...removed.flatMap((media) => this.#judge(removedMediaTypeRules, media, at(media.name))),
      ...added.flatMap((media) => this.#judge(addedMediaTypeRules, media, at(media.name))),
    ];
  }

  #schema({ older, newer }: Pair<JsonValue | undefined>, site: Site): Change[] {
    return this.#schemas[site.direction]
      .compare(older === undefined ? [] : [older], newer === undefined ? [] : [newer])
      .map((verdict) => change(verdict, site));
  }

  #judge<Subject>(rules: readonly Rule<Subject>[], subject: Subject, site: Site): Change[] {
    return judge(rules, subject, site.direction, this.#circumstances).map((verdict) => change(verdict, site));
  }
}

const both = <From, To>({ older, newer }: Pair<From>, take: (from: From) => To): Pair<To> => ({
  older: take(older),
  newer: take(newer),
});

const wholeDocument = (place: string): Site => ({ operation: null, place, direction: 'request' });

const whole = ({ label, caller }: Operation): Site => ({
  operation: label,
  place: 'operation',
  direction: caller === 'consumer' ? 'request' : 'response',
});

const opposite = (direction: Direction): Direction => (direction === 'request' ? 'response' : 'request');

/** Of a status and the range that stands for it, the status. */
const special = ({ older, newer }: Pair<Response>): Response => (/^\d+$/.test(older.status) ? older : newer);

/** A parameter that is gone from one location and new in another has moved. */
function alignMoved({ both: kept, removed, added }: Alignment<Parameter>): Alignment<Parameter> {
  const moved = removed.flatMap((older) => {
    const newer = added.find(({ name }) => name === older.name);
    return newer === undefined ? [] : [{ older, newer }];
  });
  return {
    both: [...kept, ...moved],
    removed: removed.filter((parameter) => !moved.some(({ older }) => older === parameter)),
    added: added.filter((parameter) => !moved.some(({ newer }) => newer === parameter)),
  };
}

function change({ rule, severity, finding }: Verdict, { operation, place }: Site): Change {
  return {
    rule: rule.name,
    severity,
    operation,
    place: finding.at === undefined || finding.at === '' ? place : `${place} ${finding.at}`,
    reason: finding.reason ?? rule.reason,
    before: finding.before,
    after: finding.after,
  };
}

const leaveToChange = (change: Change): Change =>
  change.severity === 'harmless'
    ? change
    : {
        ...change,
        severity: 'harmless',
        reason: `${change.reason} It was published as a draft or an alpha, which may change freely.`,
      };
