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

const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** The outcomes as a table in Markdown, with their totals. */
export function table(outcomes: readonly Outcome[]): string {
  const totals = COLUMNS.map(([name, of], index) => {
    if (index === 0) return 'All';
    if (name === 'Sweeps' || name === '') return '';
    return outcomes.reduce((total, outcome) => total + Number(of(outcome)), 0);
  });
  return [
    line(COLUMNS.map(([name]) => name)),
    line(COLUMNS.map((_, index) => (index === 0 || index === COLUMNS.length - 1 ? '---' : '---:'))),
    ...outcomes.map((outcome) => line(COLUMNS.map(([, of]) => of(outcome)))),
    line(totals),
  ].join('\n');
}
