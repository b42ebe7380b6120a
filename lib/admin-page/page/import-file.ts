import { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import * as z from 'zod/mini';
import { checkTeams, csvLines, type FileLine, findRepeats, formatOf, jsonLines } from '../../account/file.ts';
import { newFields } from '../../account/new-fields.ts';
import type { Client } from '../../client/index.ts';
import type { FieldError } from '../../failure/codes.ts';
import { Failure } from '../../failure/failure.ts';
import { parse } from '../../input/parse.ts';

/** A line of a file: an account, or its faults, which quote no value. */
interface Line extends Required<FileLine> {
  readonly value: Parameters<Client['account']['create']>[0];
}

/** The body of a request. Only the service checks the content of `user_properties`. */
const schema = z.extend(newFields(), { user_properties: z.optional(z.record(z.string(), z.unknown())) });

/** Reads the lines of a file; the ending of its name decides the format. */
export const readLines = (name: string, text: string) =>
  formatOf(name) === 'csv'
    ? csvLines(text, (options) => parseCsv(text, options))
    : jsonLines(text.split('\n'));

/** Checks the accounts of a file as the service does, and that no two lines have the same username. */
export async function checkLines(lines: AsyncIterable<FileLine>, teams: ReadonlySet<string>) {
  const repeatsOf = findRepeats();
  const faultsOf = ({ line, value, errors }: FileLine): readonly FieldError[] => {
    if (errors) return errors;
    try {
      const account = parse(schema, value, 'Only the operator command can import this field');
      checkTeams(account.teams, teams);
      return repeatsOf(line, account.username);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.errors ?? [];
    }
  };
  const checked: Line[] = [];
  for await (const each of lines) checked.push({ ...(each as Line), errors: faultsOf(each) });
  return checked;
}
