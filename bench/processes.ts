/** What processes cost, read from Linux's /proc. Elsewhere nothing is known, and the tables show a dash. */

import { readFileSync } from 'node:fs';

/** USER_HZ, in which /proc counts time: 100 a second on every architecture that Node runs on (proc(5)). */
const ticksPerSecond = 100;

interface Stat {
  readonly parent: number;
  /** Its own time, and that of its children that have ended and been waited for. */
  readonly seconds: number;
}

const statOf = (pid: number): Stat | undefined => {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === '') return undefined;
  // The command in parentheses may hold anything; counting begins behind it, with the state (field 3 of proc(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
  return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
};

/** The process that started this one. */
export const parentOf = (pid: number): number | undefined => statOf(pid)?.parent;

/** A process and all below it. Needs CONFIG_PROC_CHILDREN, which the distributions' kernels have. */
const family = (root: number): number[] => {
  const children = readFileSync(`/proc/${root}/task/${root}/children`, 'utf8').trim();
  return [root, ...(children === '' ? [] : children.split(' ').flatMap((pid) => familyIfAlive(Number(pid))))];
};

const familyIfAlive = (root: number): number[] => {
  try {
    return family(root);
  } catch {
    return [];
  }
};

/** Adds up `part` over a process and all below it; undefined where the platform does not tell. */
const sum = (root: number | undefined, part: (pid: number) => number | undefined): number | undefined => {
  if (root === undefined) return undefined;
  try {
    return family(root).reduce((total, pid) => total + (part(pid) ?? 0), 0);
  } catch {
    return undefined;
  }
};

/** CPU seconds that a process and all below it have used so far. */
export const cpuSeconds = (root: number | undefined): number | undefined => sum(root, (pid) => statOf(pid)?.seconds);

/** Resident memory of a process and all below it, in MiB. */
export const residentMiB = (root: number | undefined): number | undefined =>
  sum(root, (pid) => {
    const kib = /^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  });

/** A file of /proc, empty when its process is no more. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
