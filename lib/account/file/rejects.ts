import { csvLine } from '../../text/csv.ts';
import { FAULT } from './columns.ts';
import type { FileLine, Head } from './line.ts';

/** The separator and the faults of an earlier rejection, which begin a line. */
const former = ({ separator }: Head) => new RegExp(`^("(?:[^"]|"")*"|[^${separator}\n]*)${separator}`);
const FORMER = new RegExp(String.raw`^\{"${FAULT}":"(?:[^"\\]|\\.)*",?`);

const textOf = (text: string, head: Head) =>
  head.columns[0] === FAULT ? text.replace(former(head), '') : text;

/** The first line of a file of rejected lines, with a byte order mark for spreadsheets. */
export const rejectsHead = ({ head }: Pick<FileLine, 'head'>) =>
  head ? `\ufeff${FAULT}${head.separator}${textOf(head.text, head)}\n` : '';

/** A rejected line as its file has it, after its faults: people correct it, and import the file of such lines. */
export function rejectedLine({ text = '', head, errors = [] }: FileLine): string {
  const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ');
  if (head) return `${csvLine([faults]).trimEnd()}${head.separator}${textOf(text, head)}\n`;
  const rest = text.trim().replace(FORMER, '{');
  if (!rest.startsWith('{')) return `${JSON.stringify({ [FAULT]: faults, line: text })}\n`;
  const others = rest.slice(1).trimStart();
  return `{${JSON.stringify(FAULT)}:${JSON.stringify(faults)}${others.startsWith('}') ? '' : ','}${others}\n`;
}
