import { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import * as z from 'zod/mini';
import { fileLines, findRepeats, formatOf, NO_TEAM } from '#lib/account/file';
import type { Row } from '#lib/account/file/csv';
import type { FileLine } from '#lib/account/file/line';
import { newFields } from '#lib/account/new-fields';
import { Failure } from '#lib/failure/failure';
import { parse } from '#lib/input/parse';
import { foldCase } from '#lib/text/fold-case';
import { EXAMPLE } from './columns.ts';
import type { Line } from './line.ts';

/**
 * The body of a request, and the state of an account in a download: every new one is active and not locked. Only the
 * service checks the content of `user_properties`.
 */
const schema = z.extend(newFields(), {
  user_properties: z.optional(z.record(z.string(), z.unknown())),
  isactive: z.optional(z.literal(true, 'Only the operator command can import cancelled accounts')),
  islocked: z.optional(z.literal(false, 'Only the operator command can import locked accounts')),
});

const LEFT_OVER = { field: 'username', message: 'Is the example of the template: delete this row' };

/** Reads the lines of a file; the ending of its name decides the format. @param guess called where its encoding is a guess */
export const readLines = (name: string, bytes: Uint8Array, guess?: () => void) =>
  fileLines(
    formatOf(name),
    () => [bytes],
    async (parts, options) => {
      let text = '';
      for await (const part of parts) text += part;
      return parseCsv(text, options) as unknown as readonly Row[];
    },
    guess,
  );

/**
 * Checks the accounts of a file as the service does, and that no two lines have the same username.
 *
 * @param teams short names of those that exist, in lower case
 */
export async function checkLines(lines: AsyncIterable<FileLine>, teams: ReadonlySet<string>) {
  const repeatsOf = findRepeats();
  const check = ({ line, value = {}, errors, ...rest }: FileLine): Line => {
    const { isactive: _, islocked: __, ...body } = value;
    const checked = { ...rest, line, value: body as unknown as Line['value'] };
    if (errors) return { ...checked, errors };
    if (value['username'] === EXAMPLE.username) return { ...checked, errors: [LEFT_OVER] };
    try {
      const account = parse(schema, value, 'Only the operator command can import this field');
      const missing = account.teams.filter((short) => !teams.has(foldCase(short)));
      const unknown = missing.map((short) => ({
        field: `teams.${account.teams.indexOf(short)}`,
        message: NO_TEAM,
      }));
      const errors = [...unknown, ...repeatsOf(line, account.username)];
      return { ...checked, errors, ...(missing.length > 0 && { missing }) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...checked, errors: error.errors ?? [] };
    }
  };
  const checked: Line[] = [];
  for await (const each of lines) checked.push(check(each));
  return checked;
}
