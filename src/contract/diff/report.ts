import { isBlocking } from './accept.ts';
import type { Change, Severity } from './diff.ts';
import type { JsonValue } from './json.ts';

const SEVERITIES: readonly Severity[] = ['breaking', 'warning', 'harmless'];

export interface Counts extends Readonly<Record<Severity, number>> {
  /** Breaking, on purpose; not counted among the breaking. */
  readonly accepted: number;
}

export function count(changes: readonly Change[]): Counts {
  const of = (severity: Severity): number =>
    changes.filter((change) => change.severity === severity && change.accepted === undefined).length;
  return {
    breaking: of('breaking'),
    warning: of('warning'),
    harmless: of('harmless'),
    accepted: changes.filter((change) => change.accepted !== undefined).length,
  };
}

/** For people at a terminal: what matters most comes first. */
export function textReport(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No change that consumers can notice.\n';
  const sections = SEVERITIES.flatMap((severity) => bySeverity(changes, severity)).map(paragraph);
  return `${[...sections, summary(changes)].join('\n\n')}\n`;
}

function paragraph(change: Change): string {
  const lines = [
    `${change.severity}  ${change.operation ?? 'document'}`,
    `  ${change.place}: ${difference(change)}`,
    `  ${change.reason} [${change.rule}]`,
  ];
  if (change.accepted !== undefined) lines.push(`  Accepted: ${change.accepted}`);
  return lines.join('\n');
}

function summary(changes: readonly Change[]): string {
  const { breaking, warning, harmless, accepted } = count(changes);
  const parts = [`${breaking} breaking`, `${warning} worth a warning`, `${harmless} harmless`];
  if (accepted > 0) parts.push(`${accepted} breaking and accepted`);
  return `${parts.join(', ')}.`;
}

/** For programs. A value that is missing on one side is missing here too. */
export function jsonReport(changes: readonly Change[]): string {
  return `${JSON.stringify({ summary: count(changes), changes }, null, 2)}\n`;
}

/** Workflow commands by which GitHub shows each change beside the file; one line each. */
export function annotations(changes: readonly Change[], file = 'openapi.yaml'): string {
  return changes
    .map((change) => {
      const title = `${change.operation ?? 'document'}: ${change.rule}`;
      const accepted = change.accepted === undefined ? '' : ` Accepted: ${change.accepted}`;
      const message = `${change.place}: ${difference(change)}. ${change.reason}${accepted}`;
      return annotation(command(change), { file, title }, message);
    })
    .join('');
}

/** One workflow command. */
export function annotation(
  level: 'error' | 'warning' | 'notice',
  place: { readonly file: string; readonly line?: number; readonly title?: string },
  message: string,
): string {
  const properties = Object.entries(place).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${properties.join(',')}::${data(message)}\n`;
}

const command = (change: Change): 'error' | 'warning' | 'notice' =>
  isBlocking(change) ? 'error' : change.severity === 'warning' ? 'warning' : 'notice';

/** The escapes of @actions/core: a message must not end its line, a property must not end its list either. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const HEADINGS: Readonly<Record<Severity, string>> = {
  breaking: 'Breaking',
  warning: 'Worth a look',
  harmless: 'Also changed',
};

/** What changed for consumers from one version to the next, as a section of a Markdown changelog. */
export function changelog(changes: readonly Change[], title: string): string {
  const sections = SEVERITIES.flatMap((severity) => {
    const found = bySeverity(changes, severity);
    return found.length === 0 ? [] : [`### ${HEADINGS[severity]}`, byOperation(found)];
  });
  return `${[`## ${plain(title)}`, ...(sections.length > 0 ? sections : ['Nothing changed for consumers.'])].join('\n\n')}\n`;
}

function byOperation(changes: readonly Change[]): string {
  const operations = [...new Set(changes.map(({ operation }) => operation))];
  return operations
    .map((operation) => {
      const heading = operation === null ? '**The whole document**' : `**${code(operation)}**`;
      const items = changes.filter((change) => change.operation === operation).map(item);
      return [heading, '', ...items].join('\n');
    })
    .join('\n\n');
}

function item(change: Change): string {
  const accepted = change.accepted === undefined ? '' : ` *On purpose: ${plain(change.accepted)}*`;
  return `- ${code(change.place)}: ${difference(change, code)}. ${markReason(change.reason)}${accepted}`;
}

/** Reasons mark code with backticks as Markdown does. */
const markReason = (reason: string): string =>
  reason
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? code(piece) : plain(piece)))
    .join('');

/** Text that Markdown is not to read. */
const plain = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');

/** A code span around text that may hold backticks itself (CommonMark 6.1). */
function code(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

function difference({ before, after }: Change, mark: (text: string) => string = (text) => text): string {
  if (after === undefined) return before === undefined ? 'changed' : `${mark(brief(before))} removed`;
  return before === undefined ? `${mark(brief(after))} added` : `${mark(brief(before))} → ${mark(brief(after))}`;
}

const MOST_CHARACTERS = 120;

/** A value in one line that a person can take in. */
function brief(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

const bySeverity = (changes: readonly Change[], severity: Severity): readonly Change[] =>
  changes.filter((change) => change.severity === severity);
