import { useState } from 'preact/hooks';
import type { Page, RequestOptions } from '#lib/client/index';
import { csvLine, type Separator } from '#lib/text/csv';
import { Field, type Fields, Form } from './form.tsx';
import type { Reader } from './query.ts';
import { dateAgo } from './time.tsx';

/** A name of a file with the date of today: `people-2026-11-27.csv`. */
export const dated = (name: string, ending = 'csv') => `${name}-${dateAgo()}.${ending}`;

/** Saves a file in the folder of downloads. */
export function save(name: string, parts: BlobPart[], type = 'text/csv') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

interface CsvOptions {
  readonly separator?: Separator | undefined;
  /** Receives the number of lines after each page. */
  readonly tell?: (lines: number) => void;
  /** The columns of an item; by default its fields. */
  readonly rowOf?: ((item: never) => object) | undefined;
}

/** Saves the items of a listing as CSV; false if there are none. The first item names the columns. */
export async function saveCsv(
  name: string,
  pages: AsyncIterable<Page<object>> | Iterable<Page<object>>,
  { separator, tell, rowOf = (item: object) => item }: CsvOptions = {},
) {
  // Without a byte order mark, a spreadsheet reads another encoding than UTF-8.
  const parts = ['\uFEFF'] as BlobPart[];
  let lines = 0;
  for await (const { items } of pages) {
    const rows = (items as never[]).map(rowOf);
    if (lines === 0 && rows[0]) parts.push(csvLine(Object.keys(rows[0]), separator));
    // A browser keeps a blob on disk.
    parts.push(new Blob(rows.map((row) => csvLine(Object.values(row), separator))));
    lines += items.length;
    tell?.(lines);
  }
  if (lines > 0) save(name, parts);
  return lines > 0;
}

/** Items of a request: about half a megabyte of JSON. */
const ITEMS = 1000;

/** How a listing is saved. */
export interface FileOptions extends Pick<CsvOptions, 'rowOf'> {
  /** What it has, which names the file. */
  readonly name: string;
  /** Further parameters of the requests. */
  readonly query?: object;
}

export const SEPARATED = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab' } satisfies Record<
  Separator,
  string
>;

/** Saves a whole listing as CSV. */
export function Download({ name, query, rowOf, read }: FileOptions & { read: Reader<Page<object>> }) {
  const [lines, setLines] = useState<number>();
  const download = async (fields: Fields, { signal }: RequestOptions) => {
    const pages = read({ ...query, limit: ITEMS }, { signal }).pages();
    const separator = fields['separator'] as Separator;
    const isSaved = await saveCsv(dated(name), pages, { separator, tell: setLines, rowOf })
      .catch((error) => signal?.aborted || Promise.reject(error))
      .finally(() => setLines(undefined));
    if (!isSaved) throw 'Nothing to save: the list is empty.';
  };
  return (
    <Form submit="Download CSV" onSubmit={download} class="download">
      <Field label="Separator" name="separator" options={SEPARATED} />
      {lines !== undefined && (
        <div class="row end">
          <progress aria-label="Download" />
          <span>{lines.toLocaleString('en')} lines</span>
        </div>
      )}
    </Form>
  );
}
