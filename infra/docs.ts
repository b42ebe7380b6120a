import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Access } from '#lib/contract/contract';
import { FAILURES } from '#lib/failure';
import { contracts } from '#lib/routes';

const README = join(import.meta.dirname, '../README.md');

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[][]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function who(access: Access): string {
  if (access === 'public') return 'anyone';
  if (access === 'authenticated') return 'any account';
  return 'orSelf' in access ? `own, or \`${access.role}\`` : `\`${access.role}\``;
}

/** The parts of the README that are generated, by the name of their markers. */
const PARTS: Record<string, () => string> = {
  endpoints: () =>
    table(
      ['Method', 'Path', 'Who', 'What'],
      contracts.map(({ method, path, access, summary }) => [
        [method].flat().join(' '),
        `\`${path}\``,
        who(access),
        summary,
      ]),
    ),
  failures: () =>
    table(
      ['Status', '`data.code`', 'Text'],
      Object.entries(FAILURES).map(([code, { status, text }]) => [`${status}`, `\`${code}\``, text]),
    ),
};

/** A text with every generated part made anew between its markers. */
export const withGeneratedParts = (text: string): string =>
  Object.entries(PARTS).reduce(
    (before, [name, generate]) =>
      before.replace(
        new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`),
        (_, start: string, end: string) => `${start}\n${generate()}\n\n${end}`,
      ),
    text,
  );

if (import.meta.main) await writeFile(README, withGeneratedParts(await readFile(README, 'utf8')));
