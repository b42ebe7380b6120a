import { h } from 'preact';
import { afterEach, expect, test } from 'vitest';
import type { FieldProps } from '../../../infra/admin-page/form.tsx';
import { go } from '../../../infra/admin-page/place.ts';
import {
  type ListOptions,
  type Query,
  type Reader,
  useList,
  useQuery,
} from '../../../infra/admin-page/query.ts';
import { listing, type Page } from '../../../lib/client/listing.ts';
import { settle, show } from './opened.ts';

const { TZ } = process.env;

afterEach(() => {
  process.env['TZ'] = TZ;
});

interface Load {
  readonly signal: AbortSignal;
  readonly resolve: (data: string) => void;
  readonly reject: (error: unknown) => void;
}

/** A component with a query, and its loads. */
async function query() {
  const loads: Load[] = [];
  const states: Query<string>[] = [];
  const Probe = ({ input }: { input: number }) => {
    const load = (signal: AbortSignal) => {
      const { promise, ...settling } = Promise.withResolvers<string>();
      loads.push({ signal, ...settling });
      return promise;
    };
    states.push(useQuery(load, [input]));
    return null;
  };
  const draw = show(h(Probe, { input: 1 }));
  await settle();
  const state = () => states.at(-1) as Query<string>;
  const change = (input: number) => draw(h(Probe, { input }));
  return { loads: loads as [Load, Load, Load], states, state, change, leave: () => draw(null) };
}

test('a query loads once for the same inputs', async () => {
  const { loads, state, change } = await query();
  expect(state()).toMatchObject({ isLoading: true });
  loads[0].resolve('one');
  await settle();
  change(1);
  await settle();
  expect([loads.length, state()]).toEqual([
    1,
    { data: 'one', isLoading: false, reload: expect.any(Function) },
  ]);
});

test.each(['resolve', 'reject'] as const)(
  'a query ignores an earlier load that ends last, when it would %s',
  async (end) => {
    const { loads, state, change } = await query();
    change(2);
    await settle();
    loads[1].resolve('two');
    await settle();
    loads[0][end]('one');
    await settle();
    expect(state()).toMatchObject({ data: 'two', isLoading: false });
    expect(state().error).toBeUndefined();
  },
);

test('a query ignores an earlier load that ends while the newest loads', async () => {
  const { loads, state, change } = await query();
  change(2);
  await settle();
  loads[0].resolve('one');
  await settle();
  expect(state()).toMatchObject({ isLoading: true });
  expect(state().data).toBeUndefined();
});

test('a query aborts its load when an input changes, it reloads, or its component is removed', async () => {
  const { loads, states, state, change, leave } = await query();
  const aborted = () => loads.map(({ signal }) => signal.aborted);
  change(2);
  await settle();
  expect(aborted()).toEqual([true, false]);
  state().reload();
  await settle();
  expect(aborted()).toEqual([true, true, false]);
  leave();
  await settle();
  expect(aborted()).toEqual([true, true, true]);
  const before = states.length;
  loads[2].resolve('late');
  await settle();
  expect(states).toHaveLength(before);
});

test('a query keeps its data while it loads again, and after a failure', async () => {
  const { loads, state } = await query();
  loads[0].resolve('one');
  await settle();
  state().reload();
  await settle();
  expect(state()).toMatchObject({ data: 'one', isLoading: true });
  loads[1].reject('refused');
  await settle();
  expect(state()).toMatchObject({ data: 'one', error: 'refused', isLoading: false });
});

test('a query drops an earlier failure when it loads again', async () => {
  const { loads, state } = await query();
  loads[0].reject('refused');
  await settle();
  expect(state()).toMatchObject({ error: 'refused', isLoading: false });
  state().reload();
  await settle();
  expect(state()).toEqual({ data: undefined, isLoading: true, reload: expect.any(Function) });
  loads[1].resolve('two');
  await settle();
  expect(state()).toMatchObject({ data: 'two' });
  expect(state().error).toBeUndefined();
});

type Numbers = Page<number>;
type Input = Record<string, unknown>;

const page = (items: number, next_cursor?: string): Numbers => ({ items: Array(items).fill(0), next_cursor });

/** A component with a list at an address, what it requested, and what it reads. */
async function list(
  address: string,
  options: ListOptions,
  pages: (cursor: string | undefined, request: number) => Numbers,
) {
  go(address, true);
  const inputs: Input[] = [];
  const read: Reader<Numbers> = (input) =>
    listing(async (cursor = input.cursor) => {
      const request = inputs.push({ ...input, cursor });
      return pages(cursor, request);
    });
  let last: ReturnType<typeof useList<Numbers>> | undefined;
  const Probe = () => {
    last = useList(read, options);
    return null;
  };
  show(h(Probe, {}));
  await settle();
  const at = async (next: string) => {
    go(next);
    await settle();
    return inputs.at(-1);
  };
  return { inputs, at, state: () => last as NonNullable<typeof last> };
}

const FILTERS: FieldProps[] = [
  { name: 'q', label: 'Search' },
  { name: 'state', label: 'State' },
];
const MORE: FieldProps[] = [{ name: 'team', label: 'Team' }];
const FULL = { filters: FILTERS, more: MORE };

test('a list requests each page with all of its filters', async () => {
  const { at, inputs } = await list('#accounts?q=ada&state=locked&team=ops', FULL, () => page(50, 'next'));
  const filters = { q: 'ada', state: 'locked', team: 'ops', limit: 50 };
  expect(inputs).toEqual([filters]);
  expect(await at('#accounts?q=ada&state=locked&team=ops&cursor=p2')).toEqual({ ...filters, cursor: 'p2' });
  expect(inputs).toHaveLength(2);
});

test('a list requests a page again when a filter, the cursor or an input of it changes, and for nothing else', async () => {
  const { at, inputs } = await list('#accounts?q=ada', FULL, () => page(1));
  await at('#accounts?q=ada&other=1');
  await at('#accounts?q=+ada+');
  expect(inputs).toHaveLength(1);
  expect(await at('#accounts?q=bob')).toEqual({ q: 'bob', limit: 50 });
  expect(await at('#accounts?team=bob')).toEqual({ team: 'bob', limit: 50 });
});

test('a list of several requests keeps its filters and follows the cursors, until its page is full', async () => {
  const cursors = ['a', 'b', 'c'];
  const { inputs, state } = await list('#x?q=ada', FULL, (_, request) => page(20, cursors[request - 1]));
  expect(inputs.map(({ q, cursor }) => [q, cursor])).toEqual([
    ['ada', undefined],
    ['ada', 'a'],
    ['ada', 'b'],
  ]);
  expect([state().data?.items.length, state().data?.next_cursor]).toEqual([60, 'c']);
});

test('a list ends with the last page', async () => {
  const { inputs, state } = await list('#x?cursor=p', FULL, (cursor) =>
    cursor === 'p' ? page(2, 'q') : page(3),
  );
  expect(inputs.map(({ cursor }) => cursor)).toEqual(['p', 'q']);
  expect([state().data?.items.length, state().data?.next_cursor]).toEqual([5, undefined]);
});

test('a list ends after ten requests without a match, with the next cursor', async () => {
  const { inputs, state } = await list('#x', FULL, (_, request) => page(0, `after ${request}`));
  expect([inputs.length, state().data]).toEqual([10, { items: [], next_cursor: 'after 10' }]);
});

test('two lists of a screen have cursors of their own', async () => {
  const { at, inputs } = await list('#owners?cursor=x', { at: 'people' }, () => page(1));
  expect(inputs).toEqual([{ limit: 50 }]);
  expect(await at('#owners?cursor=x&people=y')).toEqual({ limit: 50, cursor: 'y' });
});

test('a list is read as a whole with its filters, from the first page on', async () => {
  const { inputs, state } = await list('#accounts?q=ada&team=ops&cursor=p2', FULL, (cursor) =>
    cursor === 'p3' ? page(1) : page(50, 'p3'),
  );
  inputs.length = 0;
  for await (const _ of state().readAll({ limit: 1000 }, {}).pages());
  expect(inputs).toEqual([
    { q: 'ada', team: 'ops', limit: 1000 },
    { q: 'ada', team: 'ops', limit: 1000, cursor: 'p3' },
  ]);
});

test.each([
  ['America/Los_Angeles', 'inactive_since=2026-03-29', '2026-03-29T07:00:00.000Z'],
  ['Asia/Tokyo', 'inactive_since=2026-03-29', '2026-03-28T15:00:00.000Z'],
  ['Asia/Tokyo', 'until=2026-03-29T08:30', '2026-03-28T23:30:00.000Z'],
])('in %s, a list requests %s from %s on', async (zone, given, time) => {
  process.env['TZ'] = zone;
  const dates: FieldProps[] = [
    { name: 'inactive_since', label: 'Inactive since', type: 'date' },
    { name: 'until', label: 'Until', type: 'datetime-local' },
  ];
  const { inputs } = await list(`#x?${given}`, { more: dates }, () => page(0));
  expect(inputs).toEqual([{ [given.split('=')[0] ?? '']: time, limit: 50 }]);
});
