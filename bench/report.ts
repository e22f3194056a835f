/** Tables for people, in Markdown so that they can go into the README as they are. */

import { cpus, release, totalmem, type } from 'node:os';
import { type Cell, type Course, figuresOf } from './rounds.ts';

/** What a benchmark found. */
export interface Outcome {
  readonly tables: readonly Table[];
  /** How it was measured, for the line under the tables. */
  readonly method: string;
  /** The same for machines, with every round. */
  readonly results: unknown;
  /** Wrong answers, by where they were found; any makes the run fail. */
  readonly flaws: readonly string[];
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes?: readonly string[];
}

/** A share of one core from which on the generator itself may have been the limit. */
const generatorIsBusy = 0.9;

/** A number with so many decimals, or a dash where nothing is known. */
export const number = (value: number | undefined, decimals = 0): string =>
  value === undefined || Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** A row per cell: rates, latencies, costs, and how the rate compares with that of the cells named. */
export const tableOf = (title: string, cells: readonly Cell[], comparedWith: readonly string[]): Table => {
  const rateOf = (name: string): number | undefined => {
    const cell = cells.find(({ contestant }) => contestant === name);
    return cell && cell.flaws.length === 0 ? figuresOf(cell).requestsPerSecond : undefined;
  };
  const busy: string[] = [];
  const rows = cells.map((cell) => {
    if (cell.flaws.length > 0) return [cell.contestant, 'wrong answers, no figure'];
    const figures = figuresOf(cell);
    if ((figures.generatorBusy ?? 0) > generatorIsBusy)
      busy.push(`${cell.contestant} (${number(100 * (figures.generatorBusy ?? 0))} %)`);
    const ratios = comparedWith.map((name) => {
      const other = rateOf(name);
      return number(other && (figures.requestsPerSecond ?? 0) / other, 2);
    });
    return [
      cell.contestant,
      number(figures.requestsPerSecond),
      ...ratios,
      number(figures.p50, 2),
      number(figures.p99, 2),
      number(figures.serverCpuPerThousand, 3),
      number(figures.postgresCpuPerThousand, 3),
      number(figures.memory),
    ];
  });
  return {
    title,
    columns: [
      '',
      'requests/s',
      ...comparedWith.map((name) => `÷ ${name}`),
      'p50 ms',
      'p99 ms',
      'server CPU s per 1,000',
      'PostgreSQL CPU s per 1,000',
      'memory MiB',
    ],
    rows,
    notes: busy.length > 0 ? [`The load generator was at its own limit, of one core, with ${busy.join(', ')}.`] : [],
  };
};

/** How most benchmarks measure. */
export const methodOf = ({ connections, rounds, seconds, animals }: Course & { animals?: number }): string =>
  `${animals === undefined ? '' : `${number(animals)} animals, `}${connections} connections, ` +
  `medians of ${rounds} alternating rounds of ${seconds} s`;

/** Every figure of the cells, for `--json`. */
export const resultsOf = (cells: readonly Cell[]): unknown =>
  cells.map((cell) => ({ ...cell, figures: cell.flaws.length > 0 ? null : figuresOf(cell) }));

/** Each flaw with the cell it was found in. */
export const flawsOf = (cells: readonly Cell[]): string[] =>
  cells.flatMap(({ contestant, scenario, flaws }) => flaws.map((flaw) => `${contestant}, ${scenario}: ${flaw}`));

/** What the figures were measured on. */
export const machine = (postgresVersion: string) => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
  node: process.versions.node,
  postgresql: postgresVersion,
  date: new Date().toISOString().slice(0, 10),
});

export const print = ({ title, columns, rows, notes = [] }: Table): string => {
  const line = (cells: readonly string[]): string => `| ${columns.map((_, index) => cells[index] ?? '').join(' | ')} |`;
  const rule = `|${columns.map((_, index) => (index === 0 ? '---|' : '--:|')).join('')}`;
  return [`### ${title}`, '', line(columns), rule, ...rows.map(line), '', ...notes.flatMap((note) => [note, ''])].join(
    '\n',
  );
};
