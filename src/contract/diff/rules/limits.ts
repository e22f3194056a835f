import type { JsonObject, JsonValue } from '../json.ts';
import { asList, asObject, sameJson } from '../json.ts';
import type { Finding, Pair, Rule } from '../rule.ts';
import { breaking, harmless, unclear, warning } from '../rule.ts';
import { documents } from './example.ts';

const limits = (more: JsonObject): JsonObject => ({ 'x-rate-limits': { plans: { free: { perMinute: 60 } }, ...more } });
const ban = (durations: readonly number[], cleanPeriod = 3600): JsonObject =>
  limits({ ban: { durations, cleanPeriod } });

/** `x-rate-limits` at the root: what each plan may use, and what follows when it uses more. */
export const limitRules: readonly Rule<Pair<JsonObject>>[] = [
  {
    name: 'quota-lowered',
    reason: 'Consumers that keep within what they were promised are turned away.',
    effect: breaking,
    example: documents(limits({}), limits({ plans: { free: { perMinute: 30 } } })),
    find: (pair) => numbers(quotas(pair)).filter(({ before, after }) => after < before),
  },
  {
    name: 'quota-raised',
    reason: 'Consumers may use more.',
    effect: harmless,
    example: documents(limits({}), limits({ plans: { free: { perMinute: 90 } } })),
    find: (pair) => numbers(quotas(pair)).filter(({ before, after }) => after > before),
  },
  {
    name: 'quota-introduced',
    reason: 'Consumers that used more than this are turned away.',
    effect: warning,
    example: documents(limits({}), limits({ anonymous: { perDay: 1000 } })),
    find: (pair) => quotas(pair).filter(({ before }) => before === undefined),
  },
  {
    name: 'quota-removed',
    reason: 'What is not limited any more, or not promised any more, must be asked.',
    effect: warning,
    example: documents(limits({ anonymous: { perDay: 1000 } }), limits({})),
    find: (pair) => quotas(pair).filter(({ after }) => after === undefined),
  },
  {
    name: 'quota-redefined',
    reason: 'A quota is no longer, or not yet, a number: which is more cannot be judged.',
    effect: unclear,
    example: documents(limits({}), limits({ plans: { free: { perMinute: 'custom' } } })),
    find: (pair) =>
      quotas(pair).filter(
        ({ before, after }) =>
          before !== undefined && after !== undefined && (typeof before !== 'number' || typeof after !== 'number'),
      ),
  },
  {
    name: 'plan-removed',
    reason: 'Consumers on this plan have none.',
    effect: breaking,
    example: documents(limits({ plans: { free: {}, pro: {} } }), limits({ plans: { free: {} } })),
    find: ({ older, newer }) =>
      missing(plans(older), plans(newer)).map((plan) => ({ at: `/plans/${plan}`, before: plan })),
  },
  {
    name: 'plan-added',
    reason: 'There is one more plan to choose.',
    effect: harmless,
    example: documents(limits({ plans: { free: {} } }), limits({ plans: { free: {}, pro: {} } })),
    find: ({ older, newer }) =>
      missing(plans(newer), plans(older)).map((plan) => ({ at: `/plans/${plan}`, after: plan })),
  },
  {
    name: 'ban-harsher',
    reason: 'Consumers that go on after 429s are shut out for longer.',
    effect: warning,
    example: documents(ban([300, 900]), ban([300, 3600])),
    find: (pair) => banTerms(pair).filter(({ before, after }) => isLonger(after, before)),
  },
  {
    name: 'ban-milder',
    reason: 'Consumers that go on after 429s are shut out for less.',
    effect: harmless,
    example: documents(ban([300], 3600), ban([300], 600)),
    find: (pair) => banTerms(pair).filter(({ before, after }) => !isLonger(after, before)),
  },
  {
    name: 'limit-terms-changed',
    reason: 'A term of the limits changed that cannot be judged.',
    effect: unclear,
    example: documents(limits({ window: 'fixed' }), limits({ window: 'sliding' })),
    find: ({ older, newer }) =>
      differences(other(older), other(newer)).map(({ key, before, after }) => ({ at: `/${key}`, before, after })),
  },
];

interface Difference extends Finding {
  readonly key: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

function differences(older: JsonObject, newer: JsonObject): Difference[] {
  return [...new Set([...Object.keys(older), ...Object.keys(newer)])]
    .map((key) => ({ key, before: older[key], after: newer[key] }))
    .filter(({ before, after }) => !sameJson(before, after));
}

const plans = (limits: JsonObject): JsonObject => asObject(limits.plans);

const missing = (from: JsonObject, other: JsonObject): string[] => Object.keys(from).filter((key) => !(key in other));

/** Quotas that differ: of the plans in both, and of callers without a key. */
function quotas({ older, newer }: Pair<JsonObject>): Difference[] {
  const inPlans = Object.keys(plans(older))
    .filter((plan) => plan in plans(newer))
    .flatMap((plan) =>
      differences(asObject(plans(older)[plan]), asObject(plans(newer)[plan])).map((found) => ({
        ...found,
        at: `/plans/${plan}/${found.key}`,
      })),
    );
  const anonymous = differences(asObject(older.anonymous), asObject(newer.anonymous));
  return [...inPlans, ...anonymous.map((found) => ({ ...found, at: `/anonymous/${found.key}` }))];
}

const numbers = (found: readonly Difference[]) =>
  found.flatMap(({ at, before, after }) =>
    typeof before === 'number' && typeof after === 'number'
      ? [{ ...(at === undefined ? {} : { at }), before, after }]
      : [],
  );

const banTerms = ({ older, newer }: Pair<JsonObject>): Difference[] =>
  differences(asObject(older.ban), asObject(newer.ban)).map((found) => ({ ...found, at: `/ban/${found.key}` }));

/** Longer in any step, or with a step more. A ban where there was none is longer. */
function isLonger(after: JsonValue | undefined, before: JsonValue | undefined): boolean {
  const earlier = steps(before);
  return steps(after).some((step, index) => step > (earlier[index] ?? 0));
}

const steps = (term: JsonValue | undefined): number[] =>
  (typeof term === 'number' ? [term] : asList(term)).filter((step) => typeof step === 'number');

const other = (limits: JsonObject): JsonObject => {
  const { plans: _, anonymous: __, ban: ___, ...rest } = limits;
  return rest;
};
