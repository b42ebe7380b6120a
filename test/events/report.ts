import type { Outcome } from './rehearse.ts';
import { isGood } from './rehearse.ts';

const COLUMNS = [
  ['Fault', ({ fault }) => fault],
  ['Cancels asked', ({ asked }) => asked],
  ['200', ({ ok }) => ok],
  ['Other', ({ other }) => other],
  ['Committed', ({ committed }) => committed],
  ['Delivered', ({ delivered }) => delivered],
  ['Ids', ({ ids }) => ids],
  ['Duplicates', ({ duplicates }) => duplicates],
  ['Lost', ({ lost }) => lost],
  ['Invented', ({ invented }) => invented],
  ['Reactivated', ({ reactivated }) => reactivated],
  ['Sweeps', ({ sweeps }) => sweeps],
  ['', (outcome) => (isGood(outcome) ? 'holds' : 'DOES NOT HOLD')],
] as const satisfies readonly (readonly [string, (outcome: Outcome) => string | number])[];

const cellsOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** One outcome as a line of the table. */
export const line = (outcome: Outcome) => cellsOf(COLUMNS.map(([, of]) => of(outcome)));

/** The outcomes as a table in Markdown, with their totals. */
export function table(outcomes: readonly Outcome[]): string {
  const totals = COLUMNS.map(([name, of], index) => {
    if (index === 0) return 'All';
    if (name === 'Sweeps' || name === '') return '';
    return outcomes.reduce((total, outcome) => total + Number(of(outcome)), 0);
  });
  return [
    cellsOf(COLUMNS.map(([name]) => name)),
    cellsOf(COLUMNS.map((_, index) => (index === 0 || index === COLUMNS.length - 1 ? '---' : '---:'))),
    ...outcomes.map(line),
    cellsOf(totals),
  ].join('\n');
}
