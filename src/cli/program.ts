import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { UsageError } from './command.ts';
import { contractCheck } from './contractCheck.ts';
import { contractDiff } from './contractDiff.ts';
import { contractPublish } from './contractPublish.ts';
import { contractTest } from './contractTest.ts';
import { keysCreate } from './keysCreate.ts';
import { keysList } from './keysList.ts';
import { keysRevoke } from './keysRevoke.ts';
import { keysUnban } from './keysUnban.ts';
import { migrate } from './migrate.ts';
import { projectsList } from './projectsList.ts';
import { projectsSetPlan } from './projectsSetPlan.ts';
import { serve } from './serve.ts';

const program = new Command('animal-store')
  .description('Animal Store: the service and its operator’s tools')
  .addCommand(serve)
  .addCommand(migrate)
  .addCommand(group('keys', 'API keys', keysCreate, keysList, keysRevoke, keysUnban))
  .addCommand(group('projects', 'projects, their plans and their use', projectsList, projectsSetPlan))
  .addCommand(
    group(
      'contract',
      'openapi.yaml: what it promises and what changed',
      contractCheck,
      contractDiff,
      contractPublish,
      contractTest,
    ),
  );

// Who does not read to the end, as `head`, wants no more; who cannot store the result must know.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exitCode = 1;
  if (error.code !== 'EPIPE') process.stderr.write(`The result could not be written: ${error.message}\n`);
});
process.stderr.on('error', () => {}); // There is nowhere left to say so.

throwInsteadOfExit(program);
const [first, ...rest] = process.argv.slice(2);
try {
  if (first === 'help') help(rest);
  else await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has written what is wrong, or the help that was asked for.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

function group(name: string, description: string, ...commands: Command[]): Command {
  const command = new Command(name).description(description);
  for (const one of commands) command.addCommand(one);
  return command;
}

/** Commander's own goes one level deep. */
function help(names: readonly string[]): void {
  let command: Command = program;
  for (const name of names)
    command = command.commands.find((one) => one.name() === name) ?? command.error(`error: unknown command '${name}'`);
  command.outputHelp();
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const inner of command.commands) throwInsteadOfExit(inner);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to "localhost" is an AggregateError with no message of its own.
  const message = error instanceof AggregateError ? error.errors.map(describe).join('; ') : error.message;
  return error.cause instanceof Error ? `${message}: ${describe(error.cause)}` : message;
}
