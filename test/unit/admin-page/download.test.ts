import { h } from 'preact';
import { afterEach, expect, test, vi } from 'vitest';
import { Download, type FileOptions, saveTable } from '../../../infra/admin-page/download.tsx';
import { Notices } from '../../../infra/admin-page/notice.tsx';
import type { Reader } from '../../../infra/admin-page/query.ts';
import { listing, type Page } from '../../../lib/client/listing.ts';
import { sheetRows } from '../../../lib/text/workbook.ts';
import { all, field, press, settle, show, texts } from './opened.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The files that the page saves. */
function saving() {
  const blobs: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const bytes = async () => Buffer.from((await blobs[0]?.arrayBuffer()) ?? new ArrayBuffer());
  return { names, bytes, text: async () => (await bytes()).toString() };
}

const item = (id: number) => ({ id, name: `name ${id}` });

test('saveTable writes one header as CSV, and each item of each page', async () => {
  const { names, text } = saving();
  const lines: number[] = [];
  const pages = [{ items: [] }, { items: [item(1), item(2)] }, { items: [item(3)] }];
  expect(await saveTable('x', pages, { format: 'comma', tell: (number) => lines.push(number) })).toBe(true);
  expect(names).toEqual(['x.csv']);
  expect(await text()).toBe('\uFEFF"id","name"\n"1","name 1"\n"2","name 2"\n"3","name 3"\n');
  expect(lines).toEqual([0, 2, 3]);
});

test('a download as a workbook has only cells of text', async () => {
  const saved = saving();
  const { waiting } = await open({}, 'xlsx');
  waiting[0]?.resolve({ items: [{ id: '00042', name: '=1+1' }], next_cursor: 'p2' });
  await settle();
  waiting[1]?.resolve({ items: [{ id: '1/2', name: "'t" }] });
  await vi.waitFor(() => expect(saved.names).toEqual([expect.stringMatching(/^people-[\d-]+\.xlsx$/)]));
  const rows: (readonly string[])[] = [];
  for await (const { cells } of sheetRows(await saved.bytes())) rows.push(cells);
  expect(rows).toEqual([
    ['id', 'name'],
    ['00042', '=1+1'],
    ['1/2', "'t"],
  ]);
});

test('a download has the chosen separator, and the columns of its rows', async () => {
  const { text } = saving();
  const rowOf = ({ name }: { name: string }) => ({ called: name, nothing: null });
  const { waiting, requests } = await open({ rowOf, query: { names: true } }, 'semicolon');
  waiting[0]?.resolve({ items: [item(1)] });
  await settle();
  expect(requests).toEqual([{ limit: 1000, cursor: undefined, names: true }]);
  expect(await text()).toBe('\uFEFF"called";"nothing"\n"name 1";""\n');
});

test('saveTable saves nothing when there are no items', async () => {
  const { names } = saving();
  expect([await saveTable('x', [{ items: [] }]), names]).toEqual([false, []]);
});

/** Shows a download of pages that the test answers. */
async function open(more: Partial<FileOptions> = {}, separator = 'comma') {
  const waiting: PromiseWithResolvers<Page<object>>[] = [];
  const requests: object[] = [];
  const read: Reader<Page<object>> = ({ cursor: first, ...page }, { signal }) =>
    listing((cursor = first) => {
      const next = Promise.withResolvers<Page<object>>();
      signal?.addEventListener('abort', () => next.reject(signal.reason));
      waiting.push(next);
      requests.push({ ...page, cursor });
      return next.promise;
    });
  show(h('div', {}, h(Notices, {}), h(Download, { name: 'people', read, ...more })));
  field('Format').value = separator;
  await press('Download');
  return { waiting, requests };
}

test('a download reads every page, shows the number of lines while it does, and has the date in its name', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 27, 0, 30) });
  const { text, names } = saving();
  const { waiting, requests } = await open();
  waiting[0]?.resolve({ items: Array.from({ length: 1000 }, (_, id) => item(id)), next_cursor: 'p2' });
  await settle();
  expect([texts('form .row span:not(.steady)'), all('progress').length, names]).toEqual([
    ['1,000 lines'],
    1,
    [],
  ]);
  waiting[1]?.resolve({ items: [item(1000)] });
  await settle();
  expect(requests).toEqual([
    { limit: 1000, cursor: undefined },
    { limit: 1000, cursor: 'p2' },
  ]);
  expect([names, all('progress')]).toEqual([['people-2026-11-27.csv'], []]);
  expect((await text()).trim().split('\n')).toHaveLength(1002);
});

test('a download saves nothing, and shows the failure, when a later page is refused', async () => {
  const { names } = saving();
  const { waiting } = await open();
  waiting[0]?.resolve({ items: [item(1)], next_cursor: 'p2' });
  await settle();
  waiting[1]?.reject('Refused');
  await settle();
  expect([names, texts('[role=alert]'), all('progress')]).toEqual([[], ['Refused'], []]);
});

test('a download saves and reports nothing when it is stopped', async () => {
  const { names } = saving();
  const { waiting, requests } = await open();
  waiting[0]?.resolve({ items: [item(1)], next_cursor: 'p2' });
  await settle();
  await press('Stop');
  expect([names, all('[role=alert]'), all('progress'), requests.length]).toEqual([[], [], [], 2]);
});

test('a download of an empty list is no success', async () => {
  const { names } = saving();
  const { waiting } = await open();
  waiting[0]?.resolve({ items: [] });
  await settle();
  expect([names, all('.notice'), texts('[role=alert]')]).toEqual([
    [],
    [],
    ['Nothing to save: the list is empty.'],
  ]);
});
