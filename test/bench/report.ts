/** What a run of a benchmark is told. */
export interface Options {
  readonly rounds: number;
  /** Just the functions of these ids; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** Accounts of the largest directory; undefined for the default of the benchmark. */
  readonly accounts?: number | undefined;
  /** Is told what is being measured. */
  readonly tell: (text: string) => void;
}

/** What a benchmark has found: rows of a label and its figures, in the order of the columns. */
export interface Report {
  /** What was measured, how, and in which unit. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export type Row = readonly [label: string, ...figures: (number | undefined)[]];

export type Benchmark = (options: Options) => Promise<Report>;

/** The middle one of an odd number of values; of an even number, the upper of the two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] as number;

/** A table for a terminal: labels to the left, figures of two digits to the right. */
export function table(columns: readonly string[], rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  const line = (label: string, cells: readonly string[]) =>
    [label.padEnd(width), ...cells.map((cell, at) => cell.padStart((columns[at] as string).length))].join(
      '  ',
    );
  const cells = (figures: readonly (number | undefined)[]) =>
    figures.map((figure) => figure?.toFixed(2) ?? '-');
  return [line('', columns), ...rows.map(([label, ...figures]) => line(label, cells(figures)))].join('\n');
}
