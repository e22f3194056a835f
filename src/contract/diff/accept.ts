import type { Change } from './diff.ts';
import type { JsonValue } from './json.ts';
import { isList, isObject, isText, sameJson, toJson } from './json.ts';

/** A breaking change that is made on purpose. It names the change exactly, so that it lets no other one through. */
export interface Acceptance {
  readonly rule: string;
  readonly operation: string | null;
  readonly place: string;
  /** Where one place has several changes by one rule: the value of the one that is meant. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** Why, for the changelog. */
  readonly reason: string;
}

export interface Accepted {
  readonly changes: Change[];
  /** Acceptances that fit no change: mistaken, or left over from an earlier version. */
  readonly unused: Acceptance[];
}

/** Marks the changes that are accepted with their reason. They stay breaking, and stay in every report. */
export function accept(changes: readonly Change[], acceptances: readonly Acceptance[]): Accepted {
  const fitting = (change: Change) => acceptances.find((acceptance) => fits(acceptance, change));
  return {
    changes: changes.map((change) => {
      const acceptance = change.severity === 'breaking' ? fitting(change) : undefined;
      return acceptance === undefined ? change : { ...change, accepted: acceptance.reason };
    }),
    unused: acceptances.filter(
      (acceptance) => !changes.some((change) => change.severity === 'breaking' && fitting(change) === acceptance),
    ),
  };
}

/** What stops a release. */
export const isBlocking = (change: Change): boolean => change.severity === 'breaking' && change.accepted === undefined;

const fits = (acceptance: Acceptance, change: Change): boolean =>
  acceptance.rule === change.rule &&
  acceptance.operation === change.operation &&
  acceptance.place === change.place &&
  (acceptance.before === undefined || sameJson(acceptance.before, change.before)) &&
  (acceptance.after === undefined || sameJson(acceptance.after, change.after));

/** Reads a parsed list of acceptances; whatever could make one accept by accident is refused. */
export function readAcceptances(value: unknown): Acceptance[] {
  const list = toJson(value);
  if (!isList(list)) throw new TypeError('Accepted changes are a list.');
  return list.map((item, index) => {
    if (!isObject(item)) throw new TypeError(`Accepted change ${index + 1} must be an object.`);
    const { rule, operation, place, reason, before, after } = item;
    if (!isText(rule) || !isText(place) || !(isText(operation) || operation === null)) {
      throw new TypeError(`Accepted change ${index + 1} must name rule, operation (or null) and place.`);
    }
    if (!isText(reason) || reason.trim() === '')
      throw new TypeError(`Accepted change ${index + 1} (${rule}) must say why: \`reason\`.`);
    return {
      rule,
      operation,
      place,
      reason,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
  });
}
