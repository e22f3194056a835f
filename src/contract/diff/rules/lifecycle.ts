import { asText, sameJson } from '../json.ts';
import type { Circumstances, Pair, Rule } from '../rule.ts';
import { breaking, harmless, warning } from '../rule.ts';
import { daysUntil, sunsetDate } from '../sunset.ts';
import type { Operation } from '../walk.ts';
import { operations, removal } from './example.ts';

/** `x-stability-level`, from no promise to the full one; an operation without it is stable. */
const LEVELS = ['draft', 'alpha', 'beta', 'stable'] as const;

type Level = (typeof LEVELS)[number];

/** Undefined: a word that no one knows. */
function level({ node }: Operation): Level | undefined {
  const word = node['x-stability-level'];
  return word === undefined ? 'stable' : LEVELS.find((known) => known === word);
}

const rank = (known: Level): number => LEVELS.indexOf(known);

/** What was published as a draft or an alpha was published with leave to change. */
export const mayChangeFreely = (operation: Operation): boolean => {
  const known = level(operation);
  return known === 'draft' || known === 'alpha';
};

const isDeprecated = ({ node }: Operation): boolean => node.deprecated === true;

const sunset = ({ node }: Operation) => node['x-sunset'];

const date = (operation: Operation): string | undefined => sunsetDate(sunset(operation));

const isUnreadable = (operation: Operation): boolean =>
  sunset(operation) !== undefined && date(operation) === undefined;

/** The days that must lie between an announcement and its date, by what was promised before it. */
function grace(operation: Operation, { graceDays }: Circumstances): number {
  const known = level(operation);
  return mayChangeFreely(operation) ? 0 : known === 'beta' ? graceDays.beta : graceDays.stable;
}

const isTooSoon = (day: string, { older }: Pair<Operation>, circumstances: Circumstances): boolean =>
  daysUntil(day, circumstances.today) < grace(older, circumstances);

const SUNSET = '/x-sunset';
const REPLACEMENT = '/x-replaced-by';

const NEXT_DECADE = '2036-01-01';
const NEXT_MONTH = '2026-12-24';
const YESTERDAY = '2026-11-20';

/** oasdiff's terms of removal: deprecated first, with a date, and not before that date. */
export const removalRules: readonly Rule<Operation>[] = [
  {
    name: 'operation-removed',
    reason: 'It was not deprecated: who calls it had no warning.',
    effect: breaking,
    example: removal({}),
    find: (operation) => !isDeprecated(operation) && { before: operation.label },
  },
  {
    name: 'operation-removed-without-sunset',
    reason: 'It was deprecated, but no date (`x-sunset`) was ever given.',
    effect: breaking,
    example: removal({ deprecated: true }),
    find: (operation) => isDeprecated(operation) && sunset(operation) === undefined && { before: operation.label },
  },
  {
    name: 'operation-removed-with-unreadable-sunset',
    reason: 'It was deprecated, but no one can read its `x-sunset`.',
    effect: breaking,
    example: removal({ deprecated: true, 'x-sunset': 'soon' }),
    find: (operation) => isDeprecated(operation) && isUnreadable(operation) && { before: sunset(operation) },
  },
  {
    name: 'operation-removed-before-sunset',
    reason: 'Its consumers were told that they have until `x-sunset`.',
    effect: breaking,
    example: removal({ deprecated: true, 'x-sunset': NEXT_DECADE }),
    find: (operation, { today }) =>
      isDeprecated(operation) && (date(operation) ?? '') > today && { before: date(operation) },
  },
  {
    name: 'operation-retired',
    reason: 'It was deprecated, and its `x-sunset` is reached.',
    effect: harmless,
    example: removal({ deprecated: true, 'x-sunset': YESTERDAY }),
    find: (operation, { today }) => {
      const day = date(operation);
      return isDeprecated(operation) && day !== undefined && day <= today && { before: day };
    },
  },
];

/** Deprecation, sunset, replacement. */
export const deprecationRules: readonly Rule<Pair<Operation>>[] = [
  {
    name: 'operation-deprecated',
    reason: 'Consumers are asked to move on, in good time.',
    effect: harmless,
    example: operations({}, { deprecated: true, 'x-sunset': NEXT_DECADE }),
    find: (pair, circumstances) => {
      const day = date(pair.newer);
      return (
        isNewlyDeprecated(pair) &&
        day !== undefined &&
        !isTooSoon(day, pair, circumstances) && { at: SUNSET, after: day }
      );
    },
  },
  {
    name: 'operation-deprecated-without-sunset',
    reason: 'Consumers are not told how long they have (`x-sunset`).',
    effect: breaking,
    example: operations({}, { deprecated: true }),
    find: (pair) =>
      isNewlyDeprecated(pair) && sunset(pair.newer) === undefined && { at: '/deprecated', before: false, after: true },
  },
  {
    name: 'sunset-too-soon',
    reason: 'The first date given is nearer than the days of grace.',
    effect: breaking,
    example: operations({}, { deprecated: true, 'x-sunset': NEXT_MONTH }),
    find: (pair, circumstances) => {
      const day = date(pair.newer);
      return (
        isAnnounced(pair) && day !== undefined && isTooSoon(day, pair, circumstances) && { at: SUNSET, after: day }
      );
    },
  },
  {
    name: 'sunset-announced',
    reason: 'A deprecated operation has a date, in good time.',
    effect: harmless,
    example: operations({ deprecated: true }, { deprecated: true, 'x-sunset': NEXT_DECADE }),
    find: (pair, circumstances) => {
      const day = date(pair.newer);
      return (
        isAnnounced(pair) &&
        !isNewlyDeprecated(pair) &&
        day !== undefined &&
        !isTooSoon(day, pair, circumstances) && { at: SUNSET, after: day }
      );
    },
  },
  {
    name: 'sunset-unreadable',
    reason: 'No one can read the date (`x-sunset` is YYYY-MM-DD).',
    effect: breaking,
    example: operations({ deprecated: true, 'x-sunset': NEXT_DECADE }, { deprecated: true, 'x-sunset': '2036-02-30' }),
    find: ({ older, newer }) =>
      isUnreadable(newer) &&
      (isNewlyDeprecated({ older, newer }) || !sameJson(sunset(older), sunset(newer))) && {
        at: SUNSET,
        before: sunset(older),
        after: sunset(newer),
      },
  },
  {
    name: 'sunset-removed',
    reason: 'It is still deprecated, but its consumers no longer know until when it lives.',
    effect: breaking,
    example: operations({ deprecated: true, 'x-sunset': NEXT_DECADE }, { deprecated: true }),
    find: ({ older, newer }) =>
      isDeprecated(newer) &&
      sunset(older) !== undefined &&
      sunset(newer) === undefined && { at: SUNSET, before: sunset(older) },
  },
  {
    name: 'sunset-brought-near',
    reason: 'It goes earlier than promised, and sooner than the days of grace.',
    effect: breaking,
    example: operations({ deprecated: true, 'x-sunset': NEXT_DECADE }, { deprecated: true, 'x-sunset': NEXT_MONTH }),
    find: (pair, circumstances) => {
      const moved = movedSunset(pair);
      return moved !== undefined && moved.after < moved.before && isTooSoon(moved.after, pair, circumstances) && moved;
    },
  },
  {
    name: 'sunset-moved-earlier',
    reason: 'It goes earlier than promised.',
    effect: breaking,
    example: operations({ deprecated: true, 'x-sunset': NEXT_DECADE }, { deprecated: true, 'x-sunset': '2030-01-01' }),
    find: (pair, circumstances) => {
      const moved = movedSunset(pair);
      return moved !== undefined && moved.after < moved.before && !isTooSoon(moved.after, pair, circumstances) && moved;
    },
  },
  {
    name: 'sunset-moved-later',
    reason: 'It lives longer than promised.',
    effect: harmless,
    example: operations({ deprecated: true, 'x-sunset': '2030-01-01' }, { deprecated: true, 'x-sunset': NEXT_DECADE }),
    find: (pair) => {
      const moved = movedSunset(pair);
      return moved !== undefined && moved.after > moved.before && moved;
    },
  },
  {
    name: 'operation-reinstated',
    reason: 'It is no longer deprecated.',
    effect: harmless,
    example: operations({ deprecated: true, 'x-sunset': NEXT_DECADE }, {}),
    find: ({ older, newer }) =>
      isDeprecated(older) && !isDeprecated(newer) && { at: '/deprecated', before: true, after: false },
  },
  {
    name: 'deprecation-date-changed',
    reason: 'The `Deprecation` header gives another day; how long the operation lives is as it was.',
    effect: harmless,
    example: operations(
      { deprecated: true, 'x-sunset': NEXT_DECADE, 'x-deprecated-at': '2026-11-01' },
      { deprecated: true, 'x-sunset': NEXT_DECADE, 'x-deprecated-at': '2026-11-20' },
    ),
    find: ({ older, newer }) => {
      const before = older.node['x-deprecated-at'];
      const after = newer.node['x-deprecated-at'];
      return (
        isDeprecated(older) &&
        isDeprecated(newer) &&
        !sameJson(before, after) && { at: '/x-deprecated-at', before, after }
      );
    },
  },
  {
    name: 'replacement-removed',
    reason: 'Consumers are no longer told what to use instead (`x-replaced-by`, the `successor-version` link).',
    effect: warning,
    example: operations({ 'x-replaced-by': 'listPets' }, {}),
    find: ({ older, newer }) =>
      replacement(older) !== undefined &&
      replacement(newer) === undefined && { at: REPLACEMENT, before: replacement(older) },
  },
  {
    name: 'replacement-changed',
    reason: 'Consumers that moved to the replacement they were told are now told another (`x-replaced-by`).',
    effect: warning,
    example: operations({ 'x-replaced-by': 'listPets' }, { 'x-replaced-by': 'searchPets' }),
    find: ({ older, newer }) =>
      replacement(older) !== undefined &&
      replacement(newer) !== undefined &&
      replacement(older) !== replacement(newer) && {
        at: REPLACEMENT,
        before: replacement(older),
        after: replacement(newer),
      },
  },
  {
    name: 'replacement-added',
    reason: 'Consumers are told what to use instead (`x-replaced-by`).',
    effect: harmless,
    example: operations({}, { 'x-replaced-by': 'listPets' }),
    find: ({ older, newer }) =>
      replacement(older) === undefined &&
      replacement(newer) !== undefined && { at: REPLACEMENT, after: replacement(newer) },
  },
];

/** What an operation promises of itself. These hold for drafts too: leave to change is no leave to hide it. */
export const stabilityRules: readonly Rule<Pair<Operation>>[] = [
  {
    name: 'stability-lowered',
    reason: 'Less is promised than was.',
    effect: breaking,
    example: operations({}, { 'x-stability-level': 'beta' }),
    find: (pair) => stabilityStep(pair) < 0 && stabilityWords(pair),
  },
  {
    name: 'stability-raised',
    reason: 'More is promised than was.',
    effect: harmless,
    example: operations({ 'x-stability-level': 'draft' }, { 'x-stability-level': 'alpha' }),
    find: (pair) => stabilityStep(pair) > 0 && stabilityWords(pair),
  },
  {
    name: 'stability-unknown',
    reason: 'No one knows what this word promises (`x-stability-level` is draft, alpha, beta or stable).',
    effect: breaking,
    example: operations({}, { 'x-stability-level': 'experimental' }),
    find: ({ older, newer }) =>
      level(newer) === undefined &&
      !sameJson(older.node['x-stability-level'], newer.node['x-stability-level']) &&
      stabilityWords({ older, newer }),
  },
  {
    name: 'stability-clarified',
    reason: 'An unknown word gave way to one that is known.',
    effect: harmless,
    example: operations({ 'x-stability-level': 'experimental' }, { 'x-stability-level': 'beta' }),
    find: (pair) => level(pair.older) === undefined && level(pair.newer) !== undefined && stabilityWords(pair),
  },
];

const isNewlyDeprecated = ({ older, newer }: Pair<Operation>): boolean => isDeprecated(newer) && !isDeprecated(older);

/** A date where none was: with the deprecation or after it. A date that could not be read was none. */
const isAnnounced = (pair: Pair<Operation>): boolean =>
  isDeprecated(pair.newer) && (isNewlyDeprecated(pair) || date(pair.older) === undefined);

function movedSunset({ older, newer }: Pair<Operation>): { at: string; before: string; after: string } | undefined {
  const before = date(older);
  const after = date(newer);
  return isDeprecated(older) && isDeprecated(newer) && before !== undefined && after !== undefined
    ? { at: SUNSET, before, after }
    : undefined;
}

const replacement = ({ node }: Operation): string | undefined => asText(node['x-replaced-by']);

function stabilityStep({ older, newer }: Pair<Operation>): number {
  const before = level(older);
  const after = level(newer);
  return before === undefined || after === undefined ? 0 : rank(after) - rank(before);
}

const stabilityWords = ({ older, newer }: Pair<Operation>) => ({
  before: older.node['x-stability-level'],
  after: newer.node['x-stability-level'],
});
