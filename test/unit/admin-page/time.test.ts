import { h } from 'preact';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { instant, Time } from '../../../infra/admin-page/time.tsx';
import { show } from './opened.ts';

const { TZ } = process.env;

afterEach(() => {
  process.env['TZ'] = TZ;
  vi.useRealTimers();
});

// On 29 March, Berlin skips the hour from two, on 25 October it has it twice; Santiago skips a midnight.
test.each([
  ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-29', '2026-03-29T07:00:00.000Z'],
  ['America/St_Johns', '2026-01-01', '2026-01-01T03:30:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['Pacific/Auckland', '9999-12-31T23:59', '9999-12-31T10:59:00.000Z'],
])('in %s, the instant of %s is %s', (zone, text, time) => {
  process.env['TZ'] = zone;
  expect(instant(text)).toBe(time);
});

test.each(['', 'soon', '2026-13-01', '2026-02-01T25:00'])(
  'instant keeps %j for the service to refuse',
  (text) => {
    expect(instant(text)).toBe(text);
  },
);

test('instant is empty without a text', () => {
  expect(instant()).toBe('');
});

const NOW = '2026-06-15T12:00:00Z';

/** The text that the page shows for a time, by the present clock. */
function shown(of: string | null | undefined) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
  show(h(Time, { of }));
  return document.body.firstElementChild as HTMLTimeElement;
}

test.each([
  ['2026-06-15T12:00:59Z', 'just now'],
  ['2026-06-15T11:59:01Z', 'just now'],
  ['2026-06-15T11:59:00Z', '1 minute ago'],
  ['2026-06-15T12:59:00Z', 'in 59 minutes'],
  ['2026-06-15T11:00:00Z', '1 hour ago'],
  ['2026-06-14T12:00:00Z', '1 day ago'],
  ['2026-07-10T12:00:00Z', 'in 25 days'],
  ['2026-04-15T12:00:00Z', '2 months ago'],
  ['2024-06-15T12:00:00Z', '2 years ago'],
])('a time at %s is shown as %s', (time, text) => {
  expect(shown(time).textContent).toBe(text);
});

test.each([
  '2026-06-15T10:00:00',
  '2026-06-15T10:00:00Z',
  '2026-06-15T12:30:00+02:30',
  '2026-06-15T08:00:00.000-02:00',
])('the time %s is at ten in UTC in each zone of the browser', (time) => {
  for (const zone of ['America/Los_Angeles', 'UTC', 'Asia/Tokyo']) {
    process.env['TZ'] = zone;
    const { dateTime, textContent } = shown(time);
    expect([dateTime, textContent]).toEqual(['2026-06-15T10:00:00.000Z', '2 hours ago']);
  }
});

test.each([
  [null, 'never'],
  [undefined, 'never'],
  ['', 'never'],
  ['9999-12-31T23:59:59+00:00', 'no end'],
])('the time %j is shown as %s', (time, text) => {
  expect(shown(time).textContent).toBe(text);
});

test('a time has the exact one in its title, in the zone of the browser', async () => {
  process.env['TZ'] = 'Asia/Tokyo';
  vi.resetModules();
  const { Time: inTokyo } = await import('../../../infra/admin-page/time.tsx');
  show(h(inTokyo, { of: '2026-06-15T20:00:00Z' }));
  expect((document.body.firstElementChild as HTMLTimeElement).title).toMatch(
    /Tuesday,? 16 June 2026.* 05:00:00 GMT\+9/,
  );
});

test.each([
  ['2026-03-06', '6 March 2026'],
  ['2026-03-06T08:00', '6 March 2026 08:00'],
  ['soon', 'soon'],
])('a filter by %s is said as %s', async (value, text) => {
  // Other files load its formats in zones of their own.
  vi.resetModules();
  const { asSaid } = await import('../../../infra/admin-page/time.tsx');
  expect(asSaid(value)).toBe(text);
});

/** The module of times on the German page, in UTC. */
async function inGerman() {
  process.env['TZ'] = 'UTC';
  vi.resetModules();
  vi.doMock('#texts/locale', () => import('../../../infra/admin-page/texts/de/locale.ts'));
  vi.doMock('#texts/time', () => import('../../../infra/admin-page/texts/de/time.ts'));
  onTestFinished(() => {
    vi.doUnmock('#texts/locale');
    vi.doUnmock('#texts/time');
    // The next file of the worker imports the module of its language.
    vi.resetModules();
  });
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
  return import('../../../infra/admin-page/time.tsx');
}

test.each([
  ['2026-06-15T12:00:00Z', 'gerade eben'],
  ['2026-06-15T11:55:00Z', 'vor 5 Minuten'],
  ['2026-07-10T12:00:00Z', 'in 25 Tagen'],
  ['', 'nie'],
  ['9999-12-31T23:59:59+00:00', 'unbefristet'],
])('in German, a time at %j is shown as %s', async (of, text) => {
  const { Time } = await inGerman();
  show(h(Time, { of }));
  expect(document.body.textContent).toBe(text);
});

test.each([
  ['2026-06-15T08:00:00Z', 'heute um 08:00'],
  ['2026-06-16T08:00:00Z', 'morgen um 08:00'],
  ['2026-06-18T08:00:00Z', 'Donnerstag um 08:00'],
  ['2026-03-06T08:00:00Z', '6. März 2026 um 08:00'],
])('in German, people say a time at %s as %s', async (of, text) => {
  const { When, asSaid } = await inGerman();
  show(h(When, { of }));
  expect(document.body.textContent).toBe(text);
  expect(asSaid('2026-03-06T08:00')).toBe('6. März 2026 um 08:00');
});

test('in German, the exact time has German names, in its title and in print', async () => {
  const { Time } = await inGerman();
  show(h(Time, { of: '2026-03-06T08:00:00Z' }));
  const { title, dataset } = document.body.firstElementChild as HTMLTimeElement;
  expect([title, dataset['exact']]).toEqual([
    'Freitag, 6. März 2026 um 08:00:00 UTC',
    '06.03.2026, 08:00:00 UTC',
  ]);
});
