import { type Command, Option } from 'commander';

/** How changes of the contract are printed: as text for a person, unless one of these is asked for. */
export interface Format {
  readonly json?: boolean;
  readonly github?: boolean;
  readonly markdown?: boolean;
}

/** Adds the options of `Format` to a command. */
export function withFormats(command: Command): Command {
  return command
    .addOption(new Option('--json', 'print JSON').conflicts(['github', 'markdown']))
    .addOption(
      new Option(
        '--github',
        'print annotations for GitHub; the gate does so by itself where GITHUB_ACTIONS=true',
      ).conflicts('markdown'),
    )
    .addOption(new Option('--markdown', 'print a section of a changelog'));
}
