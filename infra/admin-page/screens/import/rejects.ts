import { formatOf } from '#lib/account/file';
import { rejectedLine, rejectsHead } from '#lib/account/file/rejects';
import { imports as t } from '#texts/imports';
import { save } from '../../download.tsx';
import { labelOf } from '../../import/columns.ts';
import { importFault } from '../../import/faults.ts';
import { hasFaults, type Line } from '../../import/line.ts';
import type { Run } from '../../import/run.ts';

/** A fault with the name of its column in the words of the page. */
const worded = ({ field, message }: Line['errors'][number]) => ({
  field: labelOf(field.replace(/\.\d+$/, '')),
  message: importFault(message),
});

/** A fault as a text: the name of its column, then the reason. */
export function faultText(error: Line['errors'][number]): string {
  const { field, message } = worded(error);
  return field ? `${field}: ${message}` : message;
}

export const isWorkbook = (name: string) => formatOf(name) === 'xlsx';

/** Saves lines with their faults, by the name of the file that they are from; those of a workbook as CSV. */
export const saveRejects = (name: string, lines: readonly Line[]) =>
  save(
    name.replace(/(\.\w+)?$/, isWorkbook(name) ? '-faults.csv' : '-faults$1'),
    lines.map(
      (line, index) =>
        (index === 0 ? rejectsHead(line) : '') + rejectedLine({ ...line, errors: line.errors.map(worded) }),
    ),
  );

/** The lines that created no account, with the reason of each; those that are still to be sent are none of them. */
export const rejectsOf = ({ lines, results }: Run): Line[] =>
  lines.flatMap((line) => {
    if (hasFaults(line)) return [line];
    const { outcome, errors = [{ field: '', message: t.existed }] } = results.get(line.line) ?? {};
    return outcome === undefined || outcome === 'created' ? [] : [{ ...line, errors }];
  });
