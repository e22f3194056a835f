import type { Contract } from '../contract.ts';
import { member } from '../document.ts';
import { type Credential, elsewhere, type Request } from './case.ts';
import type { Reply } from './judge.ts';
import type { Outcome, Run } from './run.ts';

/** What a run showed, for people and for programs. */
export interface Report {
  /** The server's address, without the base path. */
  readonly url: string;
  readonly document: { readonly title: string; readonly version: string; readonly hash: string };
  readonly passed: number;
  readonly failed: number;
  readonly notSent: number;
  readonly groups: readonly Group[];
  /** What the document describes and no reply was: such as a 500. */
  readonly neverSeen: readonly { readonly operation: string; readonly status: number; readonly mediaType: string }[];
}

export interface Group {
  /** The operationId; `paths and methods` for what no operation answers. */
  readonly name: string;
  /** `POST /pets`; null where no operation is asked. */
  readonly address: string | null;
  readonly outcomes: readonly Outcome[];
}

export function buildReport(contract: Contract, url: string, { outcomes, seen }: Run): Report {
  const info = member(contract.document.root, 'info');
  const groups = [...contract.operations.values()].map(({ id, method, path }) => ({
    name: id,
    address: `${method.toUpperCase()} ${path}`,
    outcomes: outcomes.filter((outcome) => outcome.case.group === id),
  }));
  return {
    url,
    document: {
      title: String(member(info, 'title')),
      version: String(member(info, 'version')),
      hash: contract.document.hash,
    },
    passed: outcomes.filter((outcome) => stateOf(outcome) === 'passed').length,
    failed: outcomes.filter((outcome) => stateOf(outcome) === 'failed').length,
    notSent: outcomes.filter((outcome) => stateOf(outcome) === 'not sent').length,
    groups: [
      ...groups,
      { name: elsewhere, address: null, outcomes: outcomes.filter((outcome) => outcome.case.group === elsewhere) },
    ],
    neverSeen: [...contract.operations.values()].flatMap(({ id, responses }) =>
      [...responses]
        .map(([status, { schema }]) => ({
          operation: id,
          status,
          mediaType: schema === null ? 'no body' : 'application/json',
        }))
        .filter(({ operation, status, mediaType }) => !seen.has(`${operation} ${status} ${mediaType}`)),
    ),
  };
}

export function stateOf({ problems, notSent }: Outcome): 'passed' | 'failed' | 'not sent' {
  if (problems.length > 0) return 'failed';
  return notSent === null ? 'passed' : 'not sent';
}

/** For a person at a terminal: the operations, under each what failed, and what was never seen. */
export function textReport(report: Report): string {
  const { url, document, groups, neverSeen } = report;
  const width = Math.max(...groups.map(({ name }) => name.length));
  const lines = groups.map((group) => {
    const count = (state: string) => group.outcomes.filter((outcome) => stateOf(outcome) === state).length;
    const counts = [
      `${count('passed')} passed`,
      ...['failed', 'not sent'].filter((state) => count(state) > 0).map((state) => `${count(state)} ${state}`),
    ];
    const head = `${group.name.padEnd(width)}  ${counts.join(', ')}${group.address === null ? '' : `  (${group.address})`}\n`;
    const failures = group.outcomes
      .filter((outcome) => stateOf(outcome) === 'failed')
      .map((outcome) => `\n${failureText(outcome, url)}\n`);
    return head + failures.join('') + (failures.length > 0 ? '\n' : '');
  });
  const reasons = new Set(groups.flatMap(({ outcomes }) => outcomes.flatMap(({ notSent }) => notSent ?? [])));
  const operations = [...new Set(neverSeen.map(({ operation }) => operation))].map((operation) => {
    const types = [
      ...new Set(neverSeen.filter((one) => one.operation === operation).map(({ mediaType }) => mediaType)),
    ];
    const statuses = (type: string) =>
      neverSeen.filter((one) => one.operation === operation && one.mediaType === type).map(({ status }) => status);
    return `  ${operation.padEnd(width)}  ${types.map((type) => `${statuses(type).join(', ')} ${type}`).join('; ')}\n`;
  });
  return [
    `${document.title} ${document.version} (document ${document.hash}) at ${url}\n\n`,
    ...lines,
    ...(operations.length === 0 ? [] : ['\nDocumented, but never seen:\n', ...operations]),
    ...[...reasons].map((reason) => `\nNot sent: ${reason}. Run again later, or with a larger plan.\n`),
    `\n${summaryOf(report)}\n`,
  ].join('');
}

/** One line: what passed, failed and was not sent. */
export function summaryOf({ passed, failed, notSent }: Report): string {
  return `${passed + failed + notSent} checks: ${passed} passed, ${failed} failed, ${notSent} not sent.`;
}

/** For programs. */
export function jsonReport({ groups, ...report }: Report): string {
  const operations = groups.map(({ name, address, outcomes }) => ({
    name,
    address,
    checks: outcomes.map((outcome) => ({
      name: outcome.case.name,
      state: stateOf(outcome),
      milliseconds: Math.round(outcome.milliseconds),
      ...(stateOf(outcome) === 'passed'
        ? { status: outcome.reply?.status }
        : {
            request: curl(outcome.case.request, report.url),
            reply: outcome.reply === null ? null : replyText(outcome.reply),
            problems: outcome.problems,
            notSent: outcome.notSent,
          }),
    })),
  }));
  return `${JSON.stringify({ ...report, operations }, null, 2)}\n`;
}

/** What a person needs to see a failure again: what was asked, what came, and what the document says. */
export function failureText({ case: { name, request }, reply, problems }: Outcome, url: string): string {
  return [
    `  FAILED  ${name}`,
    ...problems.map(({ found, document }) => `    found     ${found}\n    document  ${document}`),
    `    request   ${curl(request, url)}`,
    `    reply     ${reply === null ? 'none' : replyText(reply).replaceAll('\n', '\n              ')}`,
  ].join('\n');
}

/** Longer bodies are cut in reports. */
const shown = 600;

function replyText({ status, headers, text }: Reply): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  const body = text.length > shown ? `${text.slice(0, shown)}… (${text.length} characters)` : text;
  return [`${status}`, ...lines, ...(body === '' ? [] : [body])].join('\n');
}

const shownCredentials: Readonly<Record<Credential, string | null>> = {
  valid: 'Bearer $KEY',
  unknown: 'Bearer $UNKNOWN_KEY',
  malformed: 'Bearer not-a-key',
  basic: 'Basic bm9ib2R5Om5vdGhpbmc=',
  none: null,
};

/** The request as a line for a shell in which `KEY` holds the key; the key itself never shows. */
export function curl({ method, target, headers, body, credential }: Request, url: string): string {
  const authorization = shownCredentials[credential];
  const sent = typeof body === 'string' ? body : body === null ? null : Buffer.from(body).toString('latin1');
  // A body is "form data" to curl, unless it is told otherwise; an empty header takes that away.
  const type = sent !== null && !('content-type' in headers) ? ['-H', "'Content-Type:'"] : [];
  const cut = (text: string) => (text.length > shown ? `${text.slice(0, 40)}…` : text);
  return [
    'curl -gi --path-as-is',
    method === 'HEAD' ? '-I' : `-X ${method}`,
    quote(url + target),
    ...(authorization === null ? [] : ['-H', `"Authorization: ${authorization}"`]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quote(`${name}: ${cut(value)}`)]),
    ...type,
    ...(sent === null ? [] : ['--data-binary', quote(cut(sent), typeof body !== 'string')]),
    ...(sent !== null && sent.length > shown ? [`# cut here; it was ${Buffer.byteLength(body ?? '')} bytes`] : []),
  ].join(' ');
}

/** One word of a POSIX shell; with what a terminal cannot show, and for bytes, of bash. */
function quote(text: string, bytes = false): string {
  const strange = bytes ? /[\p{Cc}\xa0-\xff]/gu : /\p{Cc}/gu;
  if (text.search(strange) === -1) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll(/[\\']/g, '\\$&').replaceAll(strange, (one) => {
    const code = one.charCodeAt(0).toString(16);
    return code.length <= 2 && (bytes || one < '\x80') ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
  return `$'${escaped}'`;
}
