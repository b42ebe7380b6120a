import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Page } from '#lib/client/index';
import { listing as t } from '#texts/listing';
import { type Action, Acts } from './act.tsx';
import { Download, type FileOptions } from './download.tsx';
import { Empty } from './empty.tsx';
import { Failed } from './failed.tsx';
import { Filters } from './filters.tsx';
import { number } from './locale.ts';
import { Section } from './parts.tsx';
import { hrefTo, usePlace } from './place.ts';
import { firstOf, type ListOptions, type Paged, type Query, type Reader, useList } from './query.ts';
import { isSeen } from './scroll.ts';
import { Time } from './time.tsx';
import { PageTitle } from './title.tsx';

export interface Column<Item> {
  /** Head of the column; on a phone, the label of its cell. */
  readonly label: string;
  /** Replaces the label in the head. */
  readonly head?: ComponentChildren;
  readonly cell: (item: Item) => ComponentChildren;
}

/** A value as a text: an object by the names of what it has. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value
    ? Object.entries(value)
        .filter(([, each]) => each !== null)
        .map(([name, each]) => `${name}: ${[each].flat().join(', ')}`)
        .join('; ')
    : `${value ?? ''}`;

/** Columns of fields: times by their names, and texts. */
export const show = <Item,>(fields: Readonly<Record<string, keyof Item & string>>): Column<Item>[] =>
  Object.entries(fields).map(([label, name]) => ({
    label,
    cell: (item) =>
      /(^time|_at)$/.test(name) ? <Time of={item[name] as string} /> : <bdi>{textOf(item[name])}</bdi>,
  }));

interface ListingProps<P extends Page> {
  readonly list: Paged<P>;
  readonly caption: string;
  /** The first one without a `head` names the row. */
  readonly columns: readonly Column<P['items'][number]>[];
  readonly keyOf: (item: P['items'][number]) => string;
  /** Text for a listing without items, with the next step. */
  readonly empty: ComponentChildren;
  /** Links and buttons for a listing without items. */
  readonly next?: ComponentChildren;
  /** The number of items on all pages, if it is known. */
  readonly total?: number | undefined;
  /** Before the filters. */
  readonly lead?: ComponentChildren;
  /** The class of the table. */
  readonly class?: string;
  /** Actions on an item, in a column of their own. */
  readonly actionsOn?: (item: P['items'][number]) => readonly Action[];
  /** The file that the whole listing is saved as, unless it is empty. */
  readonly file?: FileOptions;
}

/** What comes: rows of a list, values by their names, or some lines of text. */
export type Shape = 'rows' | 'facts' | 'lines';

const PARTS: Readonly<Record<Shape, number>> = { rows: 8, facts: 6, lines: 2 };

/** The shape of what comes. */
export const Skeleton = ({ of = 'rows' }: { readonly of?: Shape | undefined }) => (
  <div class={`late skeleton ${of}`} aria-busy="true">
    <span class="hidden">{t.loading}</span>
    {Array.from({ length: PARTS[of] }, (_, part) => (
      <i key={part} />
    ))}
  </div>
);

/** A query before its data: its failure, or after 200 ms the shape of what comes. */
export const Pending = ({ error, data, isLoading, reload, of }: Query<unknown> & { readonly of?: Shape }) => (
  <>
    {error !== undefined && <Failed error={error} retry={reload} />}
    {isLoading && data === undefined && <Skeleton of={of} />}
  </>
);

interface PagesProps<P extends Page> extends Pick<ListingProps<P>, 'list' | 'caption'> {
  /** Number of the first item on the next page, where items are numbered. */
  readonly from?: number | undefined;
}

/** Links to other pages of a listing. */
export function Pages<P extends Page>({ list, caption, from }: PagesProps<P>) {
  const { screen, state } = usePlace();
  const { at, previous, data } = list;
  const next = data?.next_cursor;
  const turn = (label: string, to?: string, first?: string) => (
    <a href={hrefTo(screen, { ...state, [at]: to, [firstOf(at)]: first })}>{label}</a>
  );
  const nav = useRef<HTMLElement>(null);
  const cursor = useRef(state[at]);
  // Another page begins at its first row, unless Back returns to it.
  useLayoutEffect(() => {
    if (cursor.current !== state[at] && !isSeen()) nav.current?.closest('section, main')?.scrollIntoView?.();
    cursor.current = state[at];
  }, [state[at]]);
  if (!state[at] && !next) return null;
  return (
    <nav ref={nav} class="row end" aria-label={t.pagesOf(caption)}>
      {state[at] && turn(t.firstPage)}
      {previous && turn(t.previousPage, previous[at], previous[firstOf(at)])}
      {next && turn(t.nextPage, next, from?.toString())}
    </nav>
  );
}

/** A page of a listing as a table; on a phone, each row is a card. */
export function Listing<P extends Page>({ list, caption, keyOf, empty, file, ...rest }: ListingProps<P>) {
  const { state } = usePlace();
  const { at, reload, readAll } = list;
  const { items, next_cursor } = list.data ?? { items: [] };
  const { actionsOn } = rest;
  const columns: typeof rest.columns = actionsOn
    ? [...rest.columns, { label: t.actions, cell: (item) => <Acts after={reload} of={actionsOn(item)} /> }]
    : rest.columns;
  const name = columns.findIndex(({ head }) => head === undefined);
  const first = state[at] ? Number(state[firstOf(at)]) : 1;
  const last = first + items.length - 1;
  const total = next_cursor ? rest.total : last;
  return (
    <>
      <Filters {...list}>{rest.lead}</Filters>
      <Pending {...list} />
      {list.data && items.length === 0 && (
        <Empty next={!next_cursor && rest.next}>{next_cursor ? t.noneSoFar : empty}</Empty>
      )}
      {items.length > 0 && (
        <table class={rest.class} aria-busy={list.isLoading}>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ label, head }) => (
                <th key={label} scope="col">
                  {head ?? label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={keyOf(item)}>
                {columns.map(({ label, cell }, index) => {
                  const Cell = index === name ? 'th' : 'td';
                  return (
                    <Cell key={label} scope={index === name ? 'row' : undefined} data-label={label}>
                      {cell(item)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="row foot">
        {items.length > 0 && last > 0 && (
          <span class="faint">
            {total === undefined
              ? t.rows(number(first), number(last))
              : t.rowsOf(number(first), number(last), number(total))}
          </span>
        )}
        <Pages list={list} caption={caption} from={last >= 0 ? last + 1 : undefined} />
        {file && (items.length > 0 || next_cursor) && (
          <Download {...file} read={readAll as Reader<Page<object>>} />
        )}
      </div>
    </>
  );
}

interface ListPartProps<Item> extends Omit<ListingProps<Page<Item>>, 'list'>, ListOptions {
  readonly read: Reader<Page<Item>>;
  /** Heading; by default the caption. */
  readonly title?: string;
  /** Actions that add to the listing. */
  readonly actions?: readonly Action[];
}

/** A part of a screen with a listing. */
export function ListPart<Item>(props: ListPartProps<Item>) {
  const { read, title = props.caption, actions } = props;
  const list = useList(read, props);
  return (
    <Section title={title} after={list.reload} actions={actions ?? []}>
      <Listing {...props} list={list} />
    </Section>
  );
}

interface ListScreenProps<Item> extends ListPartProps<Item> {
  readonly title: string;
  /** A line below the heading. */
  readonly note?: ComponentChildren;
}

/** A screen that is a listing. */
export function ListScreen<Item>({ title, note, actions = [], ...props }: ListScreenProps<Item>) {
  const list = useList(props.read, props);
  return (
    <>
      <PageTitle title={title} note={note}>
        <Acts of={actions} after={list.reload} />
      </PageTitle>
      <Listing {...props} list={list} />
    </>
  );
}
