import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isBlocking } from '../contract/diff/accept.ts';
import { type Change, diffContracts } from '../contract/diff/diff.ts';
import { annotation, annotations, changelog, count, jsonReport, textReport } from '../contract/diff/report.ts';
import { ContractError, items, type Json, member, parseData } from '../contract/document.ts';
import {
  acceptances,
  acceptedFile,
  isShut,
  publish,
  type Review,
  review,
  section,
  versionOf,
} from '../contract/publication.ts';
import type { Format } from './changeFormat.ts';
import { CommandFailed } from './command.ts';

/** Something besides a change that shuts the gate, or that a person should look at. */
interface Problem {
  readonly level: 'error' | 'warning';
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

const root = new URL('../../', import.meta.url);

/** The gate: prints what changed for consumers, and what is wrong. Throws `CommandFailed` where it is shut. */
export async function check(format: Format): Promise<void> {
  const today = day();
  const { reviewed, problems } = await look(today);
  if (reviewed !== null) process.stdout.write(render(reviewed, problems, format, today));
  if (format.github)
    process.stdout.write(problems.map(({ level, message, ...place }) => annotation(level, place, message)).join(''));
  else for (const problem of problems) process.stderr.write(`${say(problem)}\n`);
  judge(reviewed, problems);
  if (reviewed?.published === null)
    process.stderr.write(
      'Nothing is published yet, so nothing can break. The first publication: npm run publish-contract\n',
    );
}

/** Passes the gate, then publishes. */
export async function publishChecked(): Promise<void> {
  const today = day();
  const { reviewed, problems } = await look(today);
  for (const problem of problems) process.stderr.write(`${say(problem)}\n`);
  if (reviewed !== null && reviewed.changes.length > 0) process.stderr.write(textReport(reviewed.changes));
  const passed = judge(reviewed, problems);
  if (passed.published === passed.document.yaml) {
    process.stderr.write(`openapi.yaml ${passed.version} is published already.\n`);
    return;
  }
  publish(root, passed, today);
  process.stdout.write(section(passed, today));
  process.stderr.write('Published openapi.yaml. Commit the folder published/.\n');
}

/** Compares two documents of any origin. Throws `TypeError` for what is no OpenAPI document. */
export function compare(older: Json, newer: Json): { changes: Change[]; version: string } {
  return { changes: diffContracts(older, newer, { today: day() }), version: versionOf(newer) };
}

/** Changes in the format that was asked for; `title` heads a changelog, annotations stand beside `file`. */
export function printChanges(
  changes: readonly Change[],
  format: Format,
  { title, file }: { title: string; file: string },
): string {
  if (format.json) return jsonReport(changes);
  if (format.markdown) return changelog(changes, title);
  return format.github ? annotations(changes, file) : textReport(changes);
}

function render(reviewed: Review, problems: readonly Problem[], format: Format, today: string): string {
  const { version, published, changes } = reviewed;
  if (format.markdown) return section(reviewed, today);
  if (format.json)
    return `${JSON.stringify({ version, published: published !== null, problems, summary: count(changes), changes }, null, 2)}\n`;
  return published === null ? '' : printChanges(changes, format, { title: version, file: 'openapi.yaml' });
}

/** Runs the three parts of the gate. The review is null where a file cannot be read for what it is. */
async function look(today: string): Promise<{ reviewed: Review | null; problems: Problem[] }> {
  const [linted, fresh] = await Promise.all([lint(), freshness()]);
  try {
    const reviewed = review(root, today);
    return { reviewed, problems: [...linted, ...fresh, ...reviewed.problems.map(toProblem)] };
  } catch (error) {
    // Of openapi.yaml itself, generate has said it.
    if (error instanceof ContractError) return { reviewed: null, problems: [...linted, ...fresh] };
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return { reviewed: null, problems: [...linted, ...fresh, toProblem(`published/: ${error.message}`)] };
  }
}

function judge(reviewed: Review | null, problems: readonly Problem[]): Review {
  const errors = problems.filter(({ level }) => level === 'error').length;
  if (reviewed !== null && errors === 0 && !isShut(reviewed)) return reviewed;
  const breaking = reviewed?.changes.filter(isBlocking) ?? [];
  const hint = `To make a breaking change on purpose, write why into ${acceptedFile}:\n${acceptances(breaking)}`;
  if (breaking.length > 0) process.stderr.write(hint);
  throw new CommandFailed(
    `The contract gate is shut: ${number(breaking.length, 'breaking change')}, ${number(errors, 'problem')}.`,
  );
}

/** What Redocly has to say about the style and the structure of openapi.yaml. */
async function lint(): Promise<Problem[]> {
  const redocly = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root));
  if (!existsSync(redocly)) throw new CommandFailed('The gate needs the development tools. Run: npm ci');
  const { stdout, stderr } = await run([redocly, 'lint', 'openapi.yaml', '--format=json']);
  try {
    return items(member(parseData(stdout, 'redocly'), 'problems')).map((problem) => ({
      level: member(problem, 'severity') === 'error' ? 'error' : 'warning',
      file: 'openapi.yaml',
      line: Number(member(member(items(member(problem, 'location'))[0], 'start'), 'line') ?? 1),
      message: `${String(member(problem, 'message'))} [${String(member(problem, 'ruleId'))}]`,
    }));
  } catch {
    // What is no YAML at all is said in words.
    return [toProblem(`openapi.yaml: ${stderr.trim()}`)];
  }
}

/** Whether generated/ and src/operations/ are what openapi.yaml asks for, and whether the server can keep it. */
async function freshness(): Promise<Problem[]> {
  const { code, stderr } = await run(['src/contract/generate.ts', '--check']);
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return code === 0
    ? []
    : lines.filter((line) => !line.endsWith('as it stands:')).map((line) => toProblem(line.replace(/^ +- /, '')));
}

/** A line that may begin with the file that it speaks of. */
function toProblem(line: string): Problem {
  const [, file = 'openapi.yaml'] = /^((?:openapi|generated|src|published)[\w./-]*)/.exec(line) ?? [];
  return { level: 'error', file, message: line };
}

function say({ level, file, line, message }: Problem): string {
  return `${level}: ${message.startsWith(file) ? '' : `${file}${line === undefined ? '' : `:${line}`}: `}${message}`;
}

function run(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}

function day(): string {
  return new Date().toISOString().slice(0, 10);
}

function number(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
