import { useState } from 'preact/hooks';
import type { Page } from '../../client/index.ts';
import { csvLine } from '../../csv.ts';
import { notify } from './notice.tsx';
import type { Reader } from './query.ts';

/**
 * Saves the items of a listing as CSV, or says that there are none. The first item names the columns.
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
  if (lines === 0) return notify({ done: { message: 'Nothing is saved: the list is empty' } });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Items of a request: about half a megabyte of JSON. */
const ITEMS = 1000;

/** Saves a whole listing as CSV, in a file of this name. */
export function Download({ name, read }: { name: string; read: Reader<Page<object>> }) {
  const [lines, setLines] = useState(0);
  const [ending, setEnding] = useState<AbortController>();
  const start = async () => {
    const controller = new AbortController();
    setEnding(controller);
    setLines(0);
    try {
      await saveCsv(name, read({ limit: ITEMS }, controller).pages(), setLines);
    } catch (error) {
      if (!controller.signal.aborted) notify({ error });
    }
    setEnding(undefined);
  };
  return (
    <div class="row end">
      {ending && (
        <>
          <progress aria-label="Download" />
          <span>{lines.toLocaleString('en')} lines</span>
        </>
      )}
      <button type="button" onClick={({ detail }) => detail > 1 || (ending ? ending.abort() : start())}>
        {ending ? 'Stop the download' : 'Download CSV'}
      </button>
    </div>
  );
}
