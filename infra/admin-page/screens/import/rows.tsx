import { useState } from 'preact/hooks';
import { imports as t } from '#texts/imports';
import { Button } from '../../button.tsx';
import type { Column } from '../../listing.tsx';

/** Rows that are shown at first; more of them are shown each time. */
const STEP = 10;

interface RowsProps<Item> {
  readonly label: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Item>[];
  readonly of: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
}

/** The first rows of a table, and more on request: a browser needs seconds for tens of thousands. */
export function Rows<Item>({ label, columns, of, keyOf }: RowsProps<Item>) {
  const [most, setMost] = useState(STEP);
  return (
    <>
      <table class="rows">
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.slice(0, most).map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ label: name, cell }, index) => {
                const Cell = index === 0 ? 'th' : 'td';
                return (
                  <Cell key={name} scope={index === 0 ? 'row' : undefined} data-label={name}>
                    {cell(item)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {of.length > STEP && (
        <div class="row foot">
          <span class="faint" role="status">
            {t.shown(Math.min(most, of.length), of.length)}
          </span>
          {most < of.length && <Button onClick={() => setMost(most + 5 * STEP)}>{t.showMore}</Button>}
        </div>
      )}
    </>
  );
}
