import { expect, test, vi } from 'vitest';
import { adminFile } from '#lib/admin-page/files';
import type { Language } from '#lib/admin-page/languages';
import { gatewayEvent } from '../support/gateway-event.ts';

vi.mock('admin:files', () => ({
  files: [],
  style: 'a.css',
  scripts: { en: { script: 'en.js', parts: [] }, de: { script: 'de.js', parts: [] } },
}));

const SETTINGS = { AdminPage: true, OwnerName: '', OwnerLogo: '', OwnerLanguage: 'en' };

const JTI = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const cookieWith = (jti: string) =>
  `ptoken=e30.${Buffer.from(JSON.stringify({ jti })).toString('base64url')}.sig`;

type Event = Parameters<typeof gatewayEvent>[0];

const htmlFor = (event: Event, settings = {}, chosen?: Language) =>
  `${adminFile(undefined, gatewayEvent(event), { ...SETTINGS, ...settings }, chosen).data}`;

/** The tag of the page for a request. */
const tagFor = (event: Event, settings?: object) => /<html.*/.exec(htmlFor(event, settings))?.[0];

test.each([
  ['no credential', {}, ''],
  ['a session in its cookie', { cookies: [cookieWith(JTI)] }, ` data-session="${JTI}"`],
  ['a cookie that is no session', { cookies: ['ptoken=x'] }, ' data-session=""'],
  ['an ID that is no UUID', { cookies: [cookieWith('"><script>')] }, ' data-session=""'],
  ['two cookies', { cookies: [cookieWith(JTI), cookieWith(JTI)] }, ' data-session=""'],
  ['another cookie', { cookies: ['other=x'] }, ''],
])('the page for a request with %s', (_what, event, attribute) => {
  expect(tagFor(event)).toBe(`<html lang="en"${attribute}>`);
});

test.each<[string | undefined, string, Language | undefined, Language]>([
  [undefined, 'en', undefined, 'en'],
  ['fr, *;q=0.5', 'en', undefined, 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'en', undefined, 'de'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en', undefined, 'en'],
  ['en', 'de-CH', undefined, 'de'],
  ['de', 'fr', undefined, 'de'],
  ['en', 'de', 'en', 'en'],
  ['en', 'en', 'de', 'de'],
])(
  'a browser with %j at an owner with %s, who chose %s, gets the page in %s',
  (accepted, owner, chosen, expected) => {
    const html = htmlFor(
      { headers: accepted ? { 'accept-language': accepted } : {} },
      { OwnerLanguage: owner },
      chosen,
    );
    expect(html).toContain(`<html lang="${expected}">`);
    expect(html).toContain(`src="admin/${expected}.js"`);
  },
);

test('the page has the name and the logo of the owner, and no markup of them', () => {
  expect(tagFor({}, { OwnerName: 'Söhne & "Co" <b>', OwnerLogo: 'data:image/png;base64,AA==' })).toBe(
    '<html lang="en" data-owner="Söhne &#38; &#34;Co&#34; &#60;b&#62;" data-logo="data:image/png;base64,AA==">',
  );
});
