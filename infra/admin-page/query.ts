import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Account, Listing, Page, RequestOptions } from '#lib/client/index';
import { trimmed } from '#lib/text/trimmed';
import type { Choice } from './combobox.tsx';
import type { FieldProps } from './form.tsx';
import { type State, usePlace } from './place.ts';
import { instant } from './time.tsx';

/** The loaded data of a screen; they stay while it loads again. */
export interface Query<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads data now, when `inputs` change, and on `reload()`; only the newest answer counts. */
export function useQuery<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Query<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<Omit<Query<T>, 'reload'>>({ isLoading: true });
  useLayoutEffect(() => {
    const ending = new AbortController();
    const settle = (next: { data: T } | { error: unknown }) => {
      if (!ending.signal.aborted) setState(({ data }) => ({ data, ...next, isLoading: false }));
    };
    setState(({ data }) => ({ data, isLoading: true }));
    load(ending.signal).then(
      (data) => settle({ data }),
      (error) => settle({ error }),
    );
    return () => ending.abort();
  }, [turn, ...inputs]);
  return { ...state, reload: () => setTurn((last) => last + 1) };
}

/** Requests a listing, with the given limit and cursor in its input. */
export type Reader<P extends Page> = (
  page: { readonly limit: number; readonly cursor?: string | undefined },
  options: RequestOptions,
) => Listing<P>;

/** Rows of a page: people can survey them, and a browser lays them out within a frame. */
const ROWS = 50;

/** Requests for a page. With a filter, each examines up to `MAX_EXAMINED` items, of which it may answer few or none. */
const REQUESTS = 10;

/** The first items of a listing, from as few requests as they need. */
export async function fill<P extends Page>(pages: AsyncIterable<P>, rows = ROWS): Promise<P> {
  let filled: P | undefined;
  let requests = 0;
  for await (const page of pages) {
    filled = { ...page, items: [...(filled?.items ?? []), ...page.items] };
    if (filled.items.length >= rows || ++requests === REQUESTS) break;
  }
  return filled as P;
}

export interface Filter extends FieldProps {
  /** Whether a person is picked, or one of these entries. */
  readonly people?: readonly Choice[];
  /** The kind of accounts that can be picked; by default machines, too. */
  readonly kind?: Account['kind'];
  /** Whether it is a date that cannot be later than today. */
  readonly isPast?: boolean;
  /** Numbers of days ago that fill its date. */
  readonly ago?: readonly number[];
}

export interface ListOptions {
  /** Values that the request depends on. */
  readonly inputs?: readonly unknown[];
  /** Name of the cursor in the URL. */
  readonly at?: string;
  readonly filters?: readonly Filter[];
  /** Parameters in the URL that other parts of the screen set. */
  readonly names?: readonly string[];
  /** Filters that are used less. */
  readonly more?: readonly Filter[];
  /** Those of them that are picked from lists, with their fields; mounted only when they are open. */
  readonly Picks?: {
    readonly names: readonly string[];
    readonly Fields: FunctionComponent<{ readonly onPick: (values: State) => void }>;
  };
}

/** A page of a listing, with all of its pages. */
export interface Paged<P extends Page> extends Query<P>, ListOptions {
  readonly at: string;
  /** What names the page before this one in the URL, if the person has seen it. */
  readonly previous?: State | undefined;
  readonly readAll: Reader<P>;
}

/** Name in the URL of the number of the first item on a page. */
export const firstOf = (at: string) => `${at}-first`;

/** What names the pages that were loaded, each by the page that follows it: the service only turns forward. */
const before = new Map<string, State>();

/** Loads the page of a listing whose cursor and filters are in the URL. */
export function useList<P extends Page>(read: Reader<P>, options: ListOptions = {}): Paged<P> {
  const { inputs = [], at = 'cursor', filters = [], more = [], names = [] } = options;
  const { screen, state } = usePlace();
  const textOf = ({ name, type }: Pick<FieldProps, 'name' | 'type'>) =>
    state[name] && `${type}`.startsWith('date')
      ? instant(state[name])
      : trimmed(state[name] ?? '') || undefined;
  const fields = [...filters, ...more, ...names.map((name) => ({ name }))];
  const given = fields.map((field) => [field.name, textOf(field)]);
  const readAll: Reader<P> = (page, rest) => read({ ...Object.fromEntries(given), ...page }, rest);
  const cursor = state[at];
  const keyOf = (next?: string | null) => JSON.stringify([screen, state['username'], at, given, next]);
  const query = useQuery(
    async (signal) => {
      const page = await fill(readAll({ limit: ROWS, cursor }, { signal }).pages());
      before.set(keyOf(page.next_cursor), { [at]: cursor, [firstOf(at)]: state[firstOf(at)] });
      return page;
    },
    [cursor, JSON.stringify(given), ...inputs],
  );
  return { ...options, ...query, at, previous: cursor ? before.get(keyOf(cursor)) : undefined, readAll };
}
