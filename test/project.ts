import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, type Env, newFolder, root, start } from './cli/program.ts';

/** A copy of this project, to be changed and run by hand, as its owner would. */
export interface Project {
  readonly folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  /** Replaces `from`, which must be there, once. */
  edit(file: string, from: string, to: string): void;
  /** Runs a script of the project, or a program of its node_modules, to its end. */
  run(
    file: string,
    args?: readonly string[],
    env?: Env,
  ): Promise<Ended & { readonly stdout: string; readonly stderr: string }>;
}

const parts = [
  'package.json',
  'tsconfig.json',
  'redocly.yaml',
  'openapi.yaml',
  'published',
  'src',
  'generated',
  'test',
];

/** Copies the project into a folder that is removed at the end of the file; libraries are shared. */
export function copyProject(): Project {
  const folder = newFolder();
  for (const part of parts)
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  return {
    folder,
    read,
    write,
    edit: (file, from, to) => {
      const text = read(file);
      if (!text.includes(from)) throw new Error(`${file} does not hold: ${from}`);
      write(
        file,
        text.replace(from, () => to),
      );
    },
    run: async (file, args = [], env = {}) => {
      const program = start([process.execPath, file, ...args], env, { cwd: folder });
      const ended = await program.ended;
      return { ...ended, stdout: program.stdout, stderr: program.stderr };
    },
  };
}
