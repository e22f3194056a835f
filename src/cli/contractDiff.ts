import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parseData } from '../contract/document.ts';
import { type Format, withFormats } from './changeFormat.ts';
import { CommandFailed, UsageError } from './command.ts';

export const contractDiff = withFormats(new Command('diff'))
  .description('what changed for consumers between two OpenAPI documents (3.0 or 3.1); fails on a breaking change')
  .argument('<old>', 'a YAML or JSON file')
  .argument('<new>', 'a YAML or JSON file')
  .action(async (older: string, newer: string, format: Format) => {
    const { compare, printChanges } = await import('./gate.ts');
    const { changes, version } = asUsage(() => compare(read(older), read(newer)));
    process.stdout.write(printChanges(changes, format, { title: version, file: newer }));
    const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
    if (breaking > 0)
      throw new CommandFailed(`${breaking === 1 ? 'A change breaks' : `${breaking} changes break`} consumers.`);
  });

function read(file: string) {
  return parseData(readFileSync(file, 'utf8'), file);
}

/** Who names what is no document has written the command wrongly; 1 is left to mean that something broke. */
function asUsage<T>(compare: () => T): T {
  try {
    return compare();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
