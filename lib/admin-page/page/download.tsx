import { useState } from 'preact/hooks';
import type { Page, RequestOptions } from '../../client/index.ts';
import { csvLine } from '../../text/csv.ts';
import { type Fields, Form } from './form.tsx';
import type { Reader } from './query.ts';

/**
 * Saves the items of a listing as CSV; false if there are none. The first item names the columns.
 *
 * @param tell receives the number of lines after each page
 */
export async function saveCsv(
  name: string,
  pages: AsyncIterable<Page<object>> | Iterable<Page<object>>,
  tell?: (lines: number) => void,
) {
  // Without a byte order mark, a spreadsheet reads another encoding than UTF-8.
  const parts = ['\uFEFF'] as BlobPart[];
  let lines = 0;
  for await (const { items } of pages) {
    if (lines === 0 && items[0]) parts.push(csvLine(Object.keys(items[0])));
    // A browser keeps a blob on disk.
    parts.push(new Blob(items.map((item) => csvLine(Object.values(item)))));
    lines += items.length;
    tell?.(lines);
  }
  if (lines === 0) return false;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return true;
}

/** Items of a request: about half a megabyte of JSON. */
const ITEMS = 1000;

/** Saves a whole listing as CSV, in a file of this name. */
export function Download({ name, read }: { name: string; read: Reader<Page<object>> }) {
  const [lines, setLines] = useState<number>();
  const save = async (_: Fields, { signal, onMessage }: RequestOptions) => {
    const isSaved = await saveCsv(name, read({ limit: ITEMS }, { signal }).pages(), setLines)
      .catch((error) => signal?.aborted || Promise.reject(error))
      .finally(() => setLines(undefined));
    if (!isSaved) onMessage?.('Nothing is saved: the list is empty');
  };
  return (
    <Form submit="Download CSV" onSubmit={save}>
      {lines !== undefined && (
        <div class="row end">
          <progress aria-label="Download" />
          <span>{lines.toLocaleString('en')} lines</span>
        </div>
      )}
    </Form>
  );
}
