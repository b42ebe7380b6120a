import { expect, test, vi } from 'vitest';
import { adminFile } from '#lib/admin-page/files';
import { gatewayEvent } from '../support/gateway-event.ts';

vi.mock('admin:files', () => ({ files: [], page: { style: 'a.css', script: 'a.js', parts: [] } }));

const JTI = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const cookieWith = (jti: string) =>
  `ptoken=e30.${Buffer.from(JSON.stringify({ jti })).toString('base64url')}.sig`;

/** The tag of the page for a request. */
const tagFor = (event: Parameters<typeof gatewayEvent>[0]) =>
  /<html.*/.exec(`${adminFile(undefined, gatewayEvent(event), { AdminPage: true }).data}`)?.[0];

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
