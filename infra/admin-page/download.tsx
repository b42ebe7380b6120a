import { useState } from 'preact/hooks';
import type { Page, RequestOptions } from '#lib/client/index';
import { cellText, csvLine, type Separator } from '#lib/text/csv';
import { listing as t } from '#texts/listing';
import { Field, type Fields, Form } from './form.tsx';
import { number } from './locale.ts';
import type { Reader } from './query.ts';
import { dateAgo } from './time.tsx';

/** A name of a file with the date of today: `people-2026-11-27`. */
export const dated = (name: string) => `${name}-${dateAgo()}`;

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV = 'text/csv;charset=utf-8';

/** Saves a file in the folder of downloads. */
export function save(name: string, parts: BlobPart[], type = CSV) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Forms of a file for spreadsheets: CSV with a separator, first with that of the language, or a workbook. */
export const FORMATS: Readonly<Record<Separator | 'xlsx', string>> = t.formats;

export type FileFormat = keyof typeof FORMATS;

interface TableOptions {
  readonly format?: FileFormat | undefined;
  /** Receives the number of lines after each page. */
  readonly tell?: (lines: number) => void;
  /** The columns of an item; by default its fields. */
  readonly rowOf?: ((item: never) => object) | undefined;
}

type Pages = AsyncIterable<Page<object>> | Iterable<Page<object>>;

/** Saves the items of a listing for spreadsheets; false if there are none. The first item names the columns. */
export async function saveTable(
  name: string,
  pages: Pages,
  { format = 'xlsx', tell, rowOf = (item: object) => item }: TableOptions = {},
) {
  let lines = 0;
  let columns: string[] = [];
  async function* rows() {
    for await (const { items } of pages) {
      const all = (items as never[]).map(rowOf);
      if (lines === 0 && all[0]) columns = Object.keys(all[0]);
      lines += items.length;
      if (all.length > 0) yield all.map((row) => Object.values(row));
      tell?.(lines);
    }
  }
  const parts = rows();
  // Nothing of an empty list is saved, and only the first item names the columns.
  const first = await parts.next();
  if (first.done) return false;
  async function* whole() {
    yield [columns, ...(first.value as unknown[][])];
    yield* parts;
  }
  if (format === 'xlsx') save(`${name}.xlsx`, [await workbookOf(whole(), columns.length)], XLSX);
  else save(`${name}.csv`, await csvOf(whole(), format), CSV);
  return true;
}

type Rows = AsyncIterable<readonly (readonly unknown[])[]>;

async function csvOf(parts: Rows, separator: Separator): Promise<BlobPart[]> {
  // Without a byte order mark, a spreadsheet reads another encoding than UTF-8.
  const blobs = ['\uFEFF'] as BlobPart[];
  // A browser keeps a blob on disk.
  for await (const rows of parts) blobs.push(new Blob(rows.map((row) => csvLine(row, separator))));
  return blobs;
}

/** The library is loaded on its first use. */
async function workbookOf(parts: Rows, columns: number): Promise<Blob> {
  const { workbook } = await import('#lib/text/workbook');
  async function* rows() {
    for await (const part of parts) yield* part.map((row) => row.map(cellText));
  }
  return new Response(workbook(rows(), columns)).blob();
}

/** Items of a request: about half a megabyte of JSON. */
const ITEMS = 1000;

/** How a listing is saved. */
export interface FileOptions extends Pick<TableOptions, 'rowOf'> {
  /** What it has, which names the file. */
  readonly name: string;
  /** Further parameters of the requests. */
  readonly query?: object;
}

/** Saves a whole listing for spreadsheets. */
export function Download({ name, query, rowOf, read }: FileOptions & { read: Reader<Page<object>> }) {
  const [lines, setLines] = useState<number>();
  const download = async (fields: Fields, { signal }: RequestOptions) => {
    const pages = read({ ...query, limit: ITEMS }, { signal }).pages();
    const format = fields['format'] as FileFormat;
    const isSaved = await saveTable(dated(name), pages, { format, tell: setLines, rowOf })
      .catch((error) => signal?.aborted || Promise.reject(error))
      .finally(() => setLines(undefined));
    if (!isSaved) throw t.nothing;
  };
  return (
    <Form submit={t.download} onSubmit={download} class="download">
      <Field label={t.format} name="format" options={FORMATS} defaultValue="xlsx" />
      {lines !== undefined && (
        <div class="row end">
          <progress aria-label={t.download} />
          <span>{t.lines(lines, number(lines))}</span>
        </div>
      )}
    </Form>
  );
}
