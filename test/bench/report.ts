/** The options of a run. */
export interface Options {
  readonly rounds: number;
  /** Only the functions of these IDs; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** Accounts of the largest directory. */
  readonly accounts: number;
  /** Reports progress. */
  readonly tell: (text: string) => void;
}

export interface Report {
  /** Measurement, method and unit. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** A label and its figures, in the order of the columns. */
export type Row = readonly [label: string, ...figures: (number | undefined)[]];

/** Why a benchmark cannot run here. */
export interface Skipped {
  readonly skipped: string;
}

export type Benchmark = (options: Options) => Promise<Report | Skipped>;

/** The value that this share of all values does not exceed. */
export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] as number;

/** The middle one of an odd number of values; of an even number, the lower of the two. */
export const median = (values: readonly number[]) => quantile(values, 0.5);

/** A table for a terminal: labels to the left, figures of two digits to the right. */
export function table({ columns, rows }: Report): string {
  const cells = [['', ...columns]].concat(
    rows.map(([label, ...figures]) => [label, ...figures.map((figure) => figure?.toFixed(2) ?? '-')]),
  );
  const labels = Math.max(...rows.map(([label]) => label.length));
  const width = (at: number) => columns[at - 1]?.length ?? 0;
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(labels) : cell.padStart(width(at)))).join('  ');
  return cells.map(line).join('\n');
}
