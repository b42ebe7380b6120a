import type { ComponentChildren } from 'preact';
import type { Page } from '../../client/index.ts';
import { Failed } from './notice.tsx';
import { change, usePlace } from './place.ts';
import type { Paged, Query } from './query.ts';

export interface Column<Item> {
  /** Head of the column; on a phone, the label of its cell. */
  readonly label: string;
  /** Replaces the label in the head. */
  readonly head?: ComponentChildren;
  readonly cell: (item: Item) => ComponentChildren;
  /** Names the row. */
  readonly isName?: boolean;
  readonly isNumber?: boolean;
}

interface ListingProps<P extends Page> {
  readonly list: Paged<P>;
  readonly caption: string;
  readonly columns: readonly Column<P['items'][number]>[];
  readonly keyOf: (item: P['items'][number]) => string;
  /** Says what to do when there are no items. */
  readonly empty: ComponentChildren;
}

/** What a query shows before its data: its failure, or after 200 ms that it loads. */
export const Pending = ({ error, data, isLoading }: Query<unknown>) => (
  <>
    {error !== undefined && <Failed error={error} />}
    {isLoading && data === undefined && <p class="late faint">Loading…</p>}
  </>
);

/** A page of a listing as a table; on a phone, each row is a card. */
export function Listing<P extends Page>({ list, caption, columns, keyOf, empty }: ListingProps<P>) {
  const { at = '' } = list;
  const cursor = usePlace().state[at];
  const { items, next_cursor } = list.data ?? { items: [] };
  return (
    <>
      <Pending {...list} />
      {list.data && items.length === 0 && (
        <div class="card empty faint">
          {next_cursor ? 'None until here. Continue with the next page.' : empty}
        </div>
      )}
      {items.length > 0 && (
        <table aria-busy={list.isLoading}>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ label, head, isNumber }) => (
                <th key={label} scope="col" class={isNumber ? 'number' : undefined}>
                  {head ?? label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={keyOf(item)}>
                {columns.map(({ label, cell, isName, isNumber }) => {
                  const Cell = isName ? 'th' : 'td';
                  return (
                    <Cell
                      key={label}
                      {...(isName && { scope: 'row' })}
                      class={isNumber ? 'number' : undefined}
                      data-label={label}
                    >
                      {cell(item)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(cursor || next_cursor) && (
        <nav class="row end" aria-label={`Pages of ${caption}`}>
          {cursor && (
            <button type="button" onClick={() => change({ [at]: undefined })}>
              First page
            </button>
          )}
          {next_cursor && (
            <button type="button" onClick={() => change({ [at]: next_cursor })}>
              Next page
            </button>
          )}
        </nav>
      )}
    </>
  );
}
