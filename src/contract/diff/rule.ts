import type { JsonObject, JsonValue } from './json.ts';

/** What a change means to consumers. Only a breaking one stops the gate. */
export type Severity = 'breaking' | 'warning' | 'harmless';

/** Who writes the value: the consumer (a request), or the service (a response, or the body of a webhook). */
export type Direction = 'request' | 'response';

/** What a kind of change means by direction; a direction that is missing is not reported. */
export interface Effect {
  readonly request?: Severity;
  readonly response?: Severity;
}

/** Fewer values are allowed: the consumer may no longer send some; what it receives still fits. */
export const narrows: Effect = { request: 'breaking', response: 'harmless' };
/** More values are allowed: the consumer may receive what it was told cannot come. */
export const widens: Effect = { request: 'harmless', response: 'breaking' };
/** As `widens`, where a consumer that is written well copes with it. */
export const opens: Effect = { request: 'harmless', response: 'warning' };
/** Neither contains the other, or the same bytes mean something else. */
export const alters: Effect = { request: 'breaking', response: 'breaking' };
/** It may narrow or widen; a person must look. */
export const unclear: Effect = { request: 'warning', response: 'warning' };
export const breaking = alters;
export const warning = unclear;
export const harmless: Effect = { request: 'harmless', response: 'harmless' };

/** What an effect comes down to, for rules whose reason speaks of values and not of consumers. */
export function meaning(effect: Effect, direction: Direction): string {
  if (effect === narrows) {
    return direction === 'request' ? ' What consumers sent may be refused.' : ' What consumers receive still fits.';
  }
  if (effect !== widens && effect !== opens) return '';
  return direction === 'request'
    ? ' What consumers sent is still taken.'
    : ' Consumers may receive what they were told cannot come.';
}

/** One change that a rule saw. `at` leads from the place under judgement to the exact one. */
export interface Finding {
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  readonly at?: string;
  /** Where the rule's own reason is too general. */
  readonly reason?: string;
}

/** Two documents that differ by the change alone; every rule's example is also its test. */
export type Example = readonly [older: JsonObject, newer: JsonObject];

/** What the judgement depends on besides the two documents. */
export interface Circumstances {
  /** `YYYY-MM-DD` */
  readonly today: string;
  /** The least number of days between an announcement of removal and the removal. */
  readonly graceDays: { readonly stable: number; readonly beta: number };
}

/** One kind of change, and what it means to consumers. */
export interface Rule<Subject> {
  readonly name: string;
  readonly reason: string;
  readonly effect: Effect;
  readonly example: Example;
  find(subject: Subject, circumstances: Circumstances): Finding | readonly Finding[] | false | undefined;
}

export interface Pair<T> {
  readonly older: T;
  readonly newer: T;
}

/** A finding with the rule that made it. */
export interface Verdict {
  readonly rule: Pick<Rule<never>, 'name' | 'reason' | 'effect'>;
  readonly severity: Severity;
  readonly finding: Finding;
}

/** All that the rules have to say about one subject. */
export function judge<Subject>(
  rules: readonly Rule<Subject>[],
  subject: Subject,
  direction: Direction,
  circumstances: Circumstances,
): Verdict[] {
  return rules.flatMap((rule) => {
    const severity = rule.effect[direction];
    if (severity === undefined) return [];
    const found = rule.find(subject, circumstances);
    if (!found) return [];
    return findings(found).map((finding) => ({ rule, severity, finding }));
  });
}

const findings = (found: Finding | readonly Finding[]): readonly Finding[] => ('length' in found ? found : [found]);
