import type { ApiDocument } from './document.ts';
import type { JsonValue } from './json.ts';
import { asList, asObject, isObject, sameJson } from './json.ts';
import type { Circumstances, Direction, Effect, Finding, Pair, Rule, Verdict } from './rule.ts';
import { judge, meaning } from './rule.ts';
import type { ObjectView, Part, Schema } from './schema.ts';
import { ANY, SchemaReader } from './schema.ts';
import type { Relation, UnionMatch } from './unions.ts';
import { asUnion, matchBranches } from './unions.ts';

/** What a schema rule judges: two schemas in the same place, without what lies below them. */
export interface SchemaPair extends Pair<Schema> {
  readonly object: Pair<ObjectView>;
  readonly unions: readonly UnionMatch[];
  /** Keywords that changed and are not understood. */
  readonly unjudged: readonly Finding[];
  /** Reads a property of the older schema. */
  readonly olderProperty: (name: string) => Schema | undefined;
}

export type SchemaRule = Rule<SchemaPair>;

interface Edge {
  readonly at: string;
  readonly to: Junction;
}

/** One pair of parts in the graph of all pairs that can be reached from the operations. */
interface Junction {
  readonly older: Part;
  readonly newer: Part;
  verdicts: readonly Verdict[];
  edges: readonly Edge[];
  readonly parents: Set<Junction>;
  explored: boolean;
  /** Something changed here or below. */
  changed: boolean;
}

interface Step {
  readonly at: string;
  readonly older: Part;
  readonly newer: Part;
}

/**
 * Compares schemas in one direction. Every pair of schemas is judged once, however many operations share it and
 * however they refer to each other; from each operation only the pairs with changes below them are walked.
 */
export class SchemaComparison {
  readonly #older: SchemaReader;
  readonly #newer: SchemaReader;
  readonly #rules: readonly SchemaRule[];
  readonly #direction: Direction;
  readonly #circumstances: Circumstances;
  readonly #junctions = new Map<string, Junction>();
  readonly #relations = new Map<Junction, Relation>();

  constructor(
    older: ApiDocument,
    newer: ApiDocument,
    rules: readonly SchemaRule[],
    direction: Direction,
    circumstances: Circumstances,
  ) {
    this.#older = new SchemaReader(older, direction);
    this.#newer = new SchemaReader(newer, direction);
    this.#rules = rules;
    this.#direction = direction;
    this.#circumstances = circumstances;
  }

  /** Every change between two schemas, each at the nearest place that shows it. */
  compare(older: Part, newer: Part): Verdict[] {
    const start = this.#junction(older, newer);
    this.#explore(start);
    if (!start.changed) return [];
    const seen = new Set([start]);
    const queue = [{ at: '', junction: start }];
    const found: Verdict[] = [];
    for (const { at, junction } of queue) {
      found.push(...junction.verdicts.map((verdict) => this.#told(at, verdict)));
      for (const edge of junction.edges) {
        if (!edge.to.changed || seen.has(edge.to)) continue;
        seen.add(edge.to);
        queue.push({ at: at + edge.at, junction: edge.to });
      }
    }
    return found;
  }

  #told(at: string, { rule, severity, finding }: Verdict): Verdict {
    const reason = (finding.reason ?? rule.reason) + meaning(rule.effect, this.#direction);
    return { rule, severity, finding: { ...finding, at: at + (finding.at ?? ''), reason } };
  }

  #junction(older: Part, newer: Part): Junction {
    const key = `${this.#older.key(older)}|${this.#newer.key(newer)}`;
    const known = this.#junctions.get(key);
    if (known !== undefined) return known;
    const junction = {
      older,
      newer,
      verdicts: [],
      edges: [],
      parents: new Set<Junction>(),
      explored: false,
      changed: false,
    };
    this.#junctions.set(key, junction);
    return junction;
  }

  /** Judges all that can be reached, and tells every junction whether something changed below it. */
  #explore(start: Junction): void {
    const open = [start];
    for (let junction = open.pop(); junction !== undefined; junction = open.pop()) {
      if (!junction.explored) this.#judge(junction);
      if (junction.verdicts.length > 0) markChanged(junction);
      for (const { to } of junction.edges) {
        if (to.parents.has(junction)) continue;
        to.parents.add(junction);
        if (to.changed) markChanged(junction);
        open.push(to);
      }
    }
  }

  #judge(junction: Junction): void {
    // First, so that a union that contains itself finds itself unchanged so far instead of going round.
    junction.explored = true;
    const older = this.#older.read(junction.older);
    const newer = this.#newer.read(junction.newer);
    const { pair, steps } =
      older.unions.length === newer.unions.length
        ? this.#likeBuilt(older, newer)
        : this.#unlikeBuilt(junction, older, newer);
    junction.verdicts = judge(this.#rules, pair, this.#direction, this.#circumstances);
    junction.edges = steps.map(({ at, older: one, newer: other }) => ({ at, to: this.#junction(one, other) }));
  }

  /** Both are built alike: keyword against keyword, union against union. */
  #likeBuilt(older: Schema, newer: Schema): { pair: SchemaPair; steps: Step[] } {
    const object = { older: this.#older.object(older), newer: this.#newer.object(newer) };
    const unions = older.unions.flatMap((union, index) => {
      const other = newer.unions[index];
      return other === undefined ? [] : [this.#match(union, other)];
    });
    return {
      pair: {
        older,
        newer,
        object,
        unions,
        unjudged: this.#unjudged(older, newer),
        olderProperty: this.#property(object.older),
      },
      steps: [...propertySteps(older, newer, object), ...itemSteps(older, newer), ...unions.flatMap(branchSteps)],
    };
  }

  /** Built otherwise, they can only be set against each other as alternatives, each with all that it demands but null. */
  #unlikeBuilt(junction: Junction, older: Schema, newer: Schema): { pair: SchemaPair; steps: Step[] } {
    const before = asUnion(this.#older, junction.older);
    const after = asUnion(this.#newer, junction.newer);
    const view = this.#older.object(ANY);
    const unions = before === undefined || after === undefined ? [] : [this.#match(before, after)];
    return {
      pair: {
        older: { ...ANY, nullable: older.nullable },
        newer: { ...ANY, nullable: newer.nullable },
        object: { older: view, newer: view },
        unions,
        unjudged: unions.length > 0 ? [] : [{ at: '/oneOf', reason: 'The unions are too large to be judged.' }],
        olderProperty: () => undefined,
      },
      steps: unions.flatMap(branchSteps),
    };
  }

  #match(older: Schema['unions'][number], newer: Schema['unions'][number]): UnionMatch {
    return matchBranches({ reader: this.#older, union: older }, { reader: this.#newer, union: newer }, (one, other) =>
      this.#relate(one, other),
    );
  }

  /**
   * Whether anything below narrows, widens, or changes at all. Asked while a schema that contains itself is being
   * judged, it takes that one for unchanged; only the pairing of branches rests on the answer.
   */
  #relate(older: Part, newer: Part): Relation {
    const start = this.#junction(older, newer);
    const known = this.#relations.get(start);
    if (known !== undefined) return known;
    const seen = new Set([start]);
    const effects: Effect[] = [];
    for (const junction of seen) {
      if (!junction.explored) this.#judge(junction);
      effects.push(...junction.verdicts.map(({ rule }) => rule.effect));
      for (const { to } of junction.edges) seen.add(to);
    }
    const relation = {
      narrows: effects.some(({ request }) => request === 'breaking' || request === 'warning'),
      widens: effects.some(({ response }) => response === 'breaking' || response === 'warning'),
      changes: effects.length > 0,
    };
    this.#relations.set(start, relation);
    return relation;
  }

  #property(view: ObjectView): SchemaPair['olderProperty'] {
    return (name) => {
      const part = view.properties.get(name);
      return part === undefined ? undefined : this.#older.read(part);
    };
  }

  #unjudged(older: Schema, newer: Schema): Finding[] {
    return [...new Set([...older.opaque.keys(), ...newer.opaque.keys()])].flatMap((keyword) => {
      const before = older.opaque.get(keyword) ?? [];
      const after = newer.opaque.get(keyword) ?? [];
      const same =
        before.length === after.length &&
        before.every((value, index) => this.#sameKeyword(keyword, value, after[index]));
      const reason = `\`${keyword}\` changed, which cannot be judged.`;
      return same ? [] : [{ at: `/${keyword}`, before: before[0], after: after[0], reason }];
    });
  }

  /** Schemas inside a keyword count by what they demand, so that a renamed component is no change there either. */
  #sameKeyword(keyword: string, before: JsonValue, after: JsonValue | undefined): boolean {
    if (after === undefined) return false;
    const form = SUBSCHEMAS.get(keyword);
    const sameSchema = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
      one !== undefined && other !== undefined && !this.#relate([one], [other]).changes;
    if (form === 'one') return sameSchema(before, after);
    if (form === 'list') {
      const others = asList(after);
      return (
        asList(before).length === others.length && asList(before).every((one, index) => sameSchema(one, others[index]))
      );
    }
    if (form === 'map' && isObject(before) && isObject(after)) {
      const names = new Set([...Object.keys(before), ...Object.keys(after)]);
      return [...names].every((name) => sameSchema(asObject(before)[name], asObject(after)[name]));
    }
    return sameJson(before, after);
  }
}

/** How the keywords that are not understood hold schemas. */
const SUBSCHEMAS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map<string, 'one' | 'list' | 'map'>([
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['contains', 'one'],
  ['propertyNames', 'one'],
  ['unevaluatedItems', 'one'],
  ['additionalItems', 'one'],
  ['contentSchema', 'one'],
  ['prefixItems', 'list'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
]);

function markChanged(start: Junction): void {
  const open = [start];
  for (let junction = open.pop(); junction !== undefined; junction = open.pop()) {
    if (junction.changed) continue;
    junction.changed = true;
    open.push(...junction.parents);
  }
}

function propertySteps(older: Schema, newer: Schema, { older: before, newer: after }: Pair<ObjectView>): Step[] {
  if (!older.types.has('object') || !newer.types.has('object')) return [];
  const steps: Step[] = [];
  for (const name of new Set([...before.properties.keys(), ...after.properties.keys()])) {
    // A property that one side does not list has the schema of all the rest there; where that is none, there is
    // nothing to compare it with.
    const one = before.properties.get(name) ?? rest(before);
    const other = after.properties.get(name) ?? rest(after);
    if (one !== undefined && other !== undefined) steps.push({ at: `/properties/${name}`, older: one, newer: other });
  }
  if (!before.closed && !after.closed && (before.additional.length > 0 || after.additional.length > 0)) {
    steps.push({ at: '/additionalProperties', older: before.additional, newer: after.additional });
  }
  return steps;
}

const rest = ({ additional, closed }: ObjectView): Part | undefined =>
  closed || additional.length === 0 ? undefined : additional;

function itemSteps(older: Schema, newer: Schema): Step[] {
  if (!older.types.has('array') || !newer.types.has('array')) return [];
  return older.items.length + newer.items.length === 0
    ? []
    : [{ at: '/items', older: older.items, newer: newer.items }];
}

const branchSteps = ({ older, newer, matched }: UnionMatch): Step[] =>
  matched.map((pair) => ({
    at:
      pair.newer.label !== ''
        ? `/${newer.kind}/${pair.newer.label}`
        : pair.older.label === ''
          ? ''
          : `/${older.kind}/${pair.older.label}`,
    older: pair.older.part,
    newer: pair.newer.part,
  }));
