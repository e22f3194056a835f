import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { accept, isBlocking, readAcceptances } from './diff/accept.ts';
import { type Change, diffContracts } from './diff/diff.ts';
import { changelog } from './diff/report.ts';
import { type Document, type Json, member, parseData, readDocument } from './document.ts';

/** openapi.yaml beside the last document that consumers were given, `published/openapi.yaml`. */
export interface Review {
  readonly document: Document;
  readonly version: string;
  /** The last published document, letter for letter; null where nothing was published yet. */
  readonly published: string | null;
  /** What changed for consumers since then. */
  readonly changes: readonly Change[];
  /** What else stops a publication, a line each with the remedy. */
  readonly problems: readonly string[];
}

/** Breaking changes made on purpose, until they are published. */
export const acceptedFile = 'published/accepted.yaml';
const publishedFile = 'published/openapi.yaml';
const changelogFile = 'published/CHANGELOG.md';

const noAcceptances = `# Breaking changes that the next publication makes on purpose. For each change that it stops, npm run contract
# prints an entry to copy here: say why in \`reason\`. npm run publish-contract takes them into CHANGELOG.md and empties
# this list.
`;

const changelogHead = `# What changed for consumers of the contract

Newest first; written by \`npm run publish-contract\`.
`;

/**
 * Compares openapi.yaml in the folder `root` with the last published document. Throws `ContractError`, `SyntaxError` or
 * `TypeError` where one of the files cannot be read for what it is.
 */
export function review(root: URL, today: string): Review {
  const read = (name: string) => (existsSync(new URL(name, root)) ? readFileSync(new URL(name, root), 'utf8') : null);
  const document = readDocument(new URL('openapi.yaml', root));
  const version = versionOf(document.root);
  const published = read(publishedFile);
  const older = published === null ? document.root : parseData(published, publishedFile);
  const { changes, unused } = accept(
    diffContracts(older, document.root, { today }),
    readAcceptances(parseData(read(acceptedFile) ?? '', acceptedFile) ?? []),
  );
  const problems = unused.map(
    ({ rule, operation, place }) =>
      `${acceptedFile}: nothing that changed is ${rule} of ${operation ?? 'the document'}, ${place}: correct or remove the entry`,
  );
  const before = versionOf(older);
  if (changes.some(({ accepted }) => accepted !== undefined) && !isNewMajor(before, version))
    problems.push(
      `openapi.yaml: a breaking change needs a new major version: raise the first number of info.version, ${before}`,
    );
  return { document, version, published, changes, problems };
}

/** What stops the publication: a breaking change that nobody accepted, or a problem. */
export function isShut({ changes, problems }: Review): boolean {
  return problems.length > 0 || changes.some(isBlocking);
}

/** What a review says to consumers, as a section of the changelog. */
export function section({ version, published, changes }: Review, today: string): string {
  const title = `${version} (${today})`;
  return published === null ? `## ${title}\n\nThe first publication.\n` : changelog(changes, title);
}

/**
 * Makes the reviewed document the published one: its changes go on top of the changelog, the acceptances are used up.
 * A change that consumers cannot notice, such as of a description, gets no section, unless there is a new version.
 */
export function publish(root: URL, reviewed: Review, today: string): void {
  const { document, version, published, changes } = reviewed;
  const write = (name: string, text: string) => writeFileSync(new URL(name, root), text);
  mkdirSync(new URL('published/', root), { recursive: true });
  if (published === null || changes.length > 0 || versionOf(parseData(published, publishedFile)) !== version) {
    const file = new URL(changelogFile, root);
    const older = existsSync(file) ? [readFileSync(file, 'utf8').replace(`${changelogHead}\n`, '')] : [];
    write(changelogFile, [changelogHead, section(reviewed, today), ...older].join('\n'));
  }
  write(acceptedFile, noAcceptances);
  write(publishedFile, document.yaml);
}

/** Entries for `accepted.yaml` that would let the stopped changes through, once a reason is written. */
export function acceptances(changes: readonly Change[]): string {
  return changes
    .filter(isBlocking)
    .map(({ rule, operation, place, before, after }) => {
      const values = Object.entries({ before, after }).filter(
        ([, value]) => typeof value !== 'object' && value !== undefined,
      );
      const lines = [['rule', rule], ['operation', operation], ['place', place], ...values, ['reason', '']];
      // JSON is YAML.
      return `- ${lines.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join('\n  ')}\n`;
    })
    .join('');
}

/** `info.version` of any parsed document. */
export function versionOf(document: Json): string {
  return String(member(member(document, 'info'), 'version') ?? 'without a version');
}

/** Whether the first number of `after` is higher; of versions that have none, whether they differ. */
function isNewMajor(before: string, after: string): boolean {
  const [older, newer] = [before, after].map((version) => /^v?(\d+)(?:\.|$)/.exec(version)?.[1]);
  return older === undefined || newer === undefined ? before !== after : Number(newer) > Number(older);
}
