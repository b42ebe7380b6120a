import { type CsvError, parse as parseCsv } from 'csv-parse/browser/esm/sync';
import * as z from 'zod/mini';
import { newFields } from '../../account/new-fields.ts';
import type { FieldError } from '../../failure.ts';
import { parse } from '../../parse.ts';
import { namesIn } from './parts.tsx';
import type { client } from './session.ts';

type NewAccount = Parameters<typeof client.account.create>[0];

/** A line of a file: an account, or its faults, which quote no value. */
export interface Line {
  readonly line: number;
  readonly value: NewAccount;
  readonly faults: readonly FieldError[];
}

/** The body of a request, but for the inner rules of its custom properties. */
const schema = z.extend(newFields(), { user_properties: z.optional(z.record(z.string(), z.unknown())) });

/** A line as the service would check it. */
function checked(line: number, read: () => unknown): Line {
  try {
    const value = read();
    parse(schema, value);
    return { line, value: value as NewAccount, faults: [] };
  } catch (error) {
    const faults = (error as { errors?: FieldError[] }).errors ?? [{ field: '', message: 'Must be JSON' }];
    return { line, value: { username: '' }, faults };
  }
}

function cellValue(name: string, cell: string): unknown {
  if (['apps', 'roles', 'teams'].includes(name)) return namesIn(cell);
  if (['emailconfirmed', 'lockoutenabled'].includes(name))
    return cell === 'true' || (cell !== 'false' && cell);
  return name === 'user_properties' ? JSON.parse(cell) : cell;
}

function csvLines(text: string): Line[] {
  const header = text.split(/\r?\n/, 1)[0] ?? '';
  const broken: Line[] = [];
  const rows = parseCsv(text, {
    bom: true,
    columns: (names: string[]) => names.map((name) => name.trim()),
    delimiter: header.includes(';') && !header.includes(',') ? ';' : ',',
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      const { code, lines } = error as CsvError & { lines: number };
      // Its message may quote a cell.
      broken.push(checked(lines, () => parse(z.never(`Must be CSV (${code})`), text)));
      return undefined;
    },
  }) as unknown as { record: Record<string, string>; info: { lines: number } }[];
  const lines = rows.map(({ record, info }) => {
    const cells = Object.entries(record).filter(([, cell]) => cell !== '');
    return checked(info.lines, () =>
      Object.fromEntries(cells.map(([name, cell]) => [name, cellValue(name, cell)])),
    );
  });
  return [...broken, ...lines];
}

/** The accounts of a file, each checked by itself and for its name in an earlier line. */
export function linesOf(text: string, isCsv: boolean, teams: ReadonlySet<string>): Line[] {
  const json = () =>
    text
      .split('\n')
      .map((row, index) => ({ row, line: index + 1 }))
      .filter(({ row }) => row.trim());
  const lines = isCsv ? csvLines(text) : json().map(({ row, line }) => checked(line, () => JSON.parse(row)));
  const first = new Map<string, number>();
  return lines.map((each) => {
    const { line, value, faults } = each;
    if (faults.length > 0) return each;
    const name = value.username.toLowerCase();
    const before = first.get(name);
    first.set(name, before ?? line);
    const unknown = value.teams?.findIndex((short) => !teams.has(short.toLowerCase())) ?? -1;
    return {
      ...each,
      faults: [
        ...(before === undefined ? [] : [{ field: 'username', message: `Repeats line ${before}` }]),
        ...(unknown < 0 ? [] : [{ field: `teams.${unknown}`, message: 'Must be the short name of a team' }]),
      ],
    };
  });
}
