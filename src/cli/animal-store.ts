#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { UsageError } from './command.ts';
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
  .addCommand(group('projects', 'projects, their plans and their use', projectsList, projectsSetPlan));

throwInsteadOfExit(program);
try {
  await program.parseAsync();
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
