import fc from 'fast-check';
import { h } from 'preact';
import { expect, test } from 'vitest';
import { trimmed } from '#lib/text/trimmed';
import { go, hrefTo, usePlace, useWarning } from '../../../infra/admin-page/place.ts';
import { openPage, settle, show, texts } from './opened.ts';

type Place = ReturnType<typeof usePlace>;

/** A component that follows the URL, and the places that it was drawn with. */
function follow() {
  const places: Place[] = [];
  const Probe = () => {
    places.push(usePlace());
    return null;
  };
  show(h(Probe, {}));
  return { place: () => places.at(-1), places };
}

test.each<[string, Record<string, string | undefined>, string]>([
  ['accounts', {}, '#accounts'],
  ['accounts', { q: 'ada', state: '', team: ' \u200b', cursor: undefined }, '#accounts?q=ada'],
  ['account', { username: 'a&b=c#d?e/f+g h%é' }, '#account?username=a%26b%3Dc%23d%3Fe%2Ff%2Bg+h%25%C3%A9'],
  ['', {}, '#'],
])('hrefTo(%j, %j) leaves out empty values and encodes the others', (screen, state, href) => {
  expect(hrefTo(screen, state)).toBe(href);
});

test('a place that is written into the URL is read from it', async () => {
  const { place } = follow();
  const value = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => trimmed(text) !== '');
  const state = fc.dictionary(fc.stringMatching(/^[a-z_]+$/), value);
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[a-z]+$/), state, async (screen, given) => {
      go(hrefTo(screen, given));
      await settle();
      expect(place()).toEqual({ screen, state: { ...given } });
    }),
    { seed: 1, numRuns: 30 },
  );
});

test.each(['', '#', '#?', '#?x=1'])('the screen at %j is the first one', (address) => {
  go(`/${address}`);
  expect(follow().place()?.screen).toBe('accounts');
});

test('a component follows the URL when it is changed by a link, a script or Back', async () => {
  const { place } = follow();
  location.hash = '#teams?cursor=x';
  dispatchEvent(new Event('hashchange'));
  await settle();
  expect(place()).toEqual({ screen: 'teams', state: { cursor: 'x' } });
});

test('go adds an entry to the history, or replaces the present one', () => {
  const before = history.length;
  go('#teams');
  expect([history.length, location.hash]).toEqual([before + 1, '#teams']);
  go('#events', true);
  expect([history.length, location.hash]).toEqual([before + 1, '#events']);
});

test.each(['#unknown', '#constructor', '#accounts?constructor=x'])(
  'the page at %s shows the accounts',
  async (address) => {
    await openPage({ address });
    expect(texts('h1')).toEqual(['People']);
  },
);

test('the browser prompts before it leaves the page only while a warning is on', async () => {
  const Probe = ({ isOn }: { isOn: boolean }) => {
    useWarning(isOn);
    return null;
  };
  const isPrompted = async () => {
    await settle();
    return !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  };
  const draw = show(h(Probe, { isOn: false }));
  expect(await isPrompted()).toBe(false);
  draw(h(Probe, { isOn: true }));
  expect(await isPrompted()).toBe(true);
  draw(h(Probe, { isOn: false }));
  expect(await isPrompted()).toBe(false);
  draw(h(Probe, { isOn: true }));
  draw(null);
  expect(await isPrompted()).toBe(false);
});
