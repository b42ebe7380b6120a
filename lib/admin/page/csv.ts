import type { Page } from '../../client/index.ts';
import { csvLine } from '../../csv.ts';

/**
 * The items of a listing as CSV, one blob a page, which a browser keeps on disk. The first item names the columns.
 *
 * @param tell receives the number of lines after each page
 */
export async function csvOf(
  pages: AsyncIterable<Page<object>> | Iterable<Page<object>>,
  tell?: (lines: number) => void,
): Promise<Blob> {
  // Without a byte order mark, a spreadsheet reads another encoding than UTF-8.
  const parts = [new Blob(['\uFEFF'])];
  let lines = 0;
  for await (const { items } of pages) {
    const [first] = items;
    if (lines === 0 && first) parts.push(new Blob([csvLine(Object.keys(first))]));
    parts.push(new Blob(items.map((item) => csvLine(Object.values(item)))));
    lines += items.length;
    tell?.(lines);
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** Saves a file on the disk of the person. */
export function save(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
