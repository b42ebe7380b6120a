import { useState } from 'preact/hooks';
import type { Account, RequestOptions } from '../../../client/index.ts';
import { Failed } from '../notice.tsx';
import { client } from '../session.ts';

type Filter = Parameters<typeof client.account.browse>[0];

/** Accounts of a request: half a megabyte of JSON. */
const ROWS = 1000;

/** A cell of CSV (RFC 4180). A spreadsheet would calculate a text that begins like a formula; an apostrophe prevents it. */
function cell(value: unknown): string {
  const text = `${value ?? ''}`.replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV. */
export const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`;

/** The accounts of a filter as CSV, one blob a page, which a browser keeps on disk. */
async function csvOf(filter: Filter, options: RequestOptions, tell: (rows: number) => void): Promise<Blob> {
  // Without a byte order mark, a spreadsheet reads another encoding than UTF-8.
  const parts: Blob[] = [new Blob(['\uFEFF'])];
  let rows = 0;
  for await (const { items } of client.account.browse({ ...filter, limit: ROWS }, options).pages()) {
    const [first] = items;
    if (rows === 0 && first) parts.push(new Blob([line(Object.keys(first))]));
    parts.push(new Blob([items.map((item: Account) => line(Object.values(item))).join('')]));
    rows += items.length;
    tell(rows);
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

/**
 * Saves all accounts of a filter as CSV.
 *
 * @param total how many there are, if known
 */
export function Download({ filter, total }: { filter: Filter; total: number | undefined }) {
  const [rows, setRows] = useState(0);
  const [ending, setEnding] = useState<AbortController>();
  const [error, setError] = useState<unknown>();
  const start = async () => {
    const controller = new AbortController();
    setEnding(controller);
    setError(undefined);
    setRows(0);
    try {
      save(await csvOf(filter, controller, setRows), 'accounts.csv');
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    }
    setEnding(undefined);
  };
  return (
    <div class="row end">
      {ending && (
        <>
          <progress aria-label="Download" max={total} value={total && rows} />
          <span>{rows.toLocaleString('en')} accounts</span>
        </>
      )}
      <button type="button" onClick={() => (ending ? ending.abort() : start())}>
        {ending ? 'Stop the download' : 'Download CSV'}
      </button>
      {error !== undefined && <Failed error={error} />}
    </div>
  );
}
