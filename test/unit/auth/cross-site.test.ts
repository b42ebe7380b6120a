import { expect, test } from 'vitest';
import { checkSameSite } from '#lib/auth/cross-site';
import { codeOf, refusal } from '../support/code-of.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

const host = 'api.example.com';
const outcome = (headers: Record<string, string>, method = 'GET') =>
  codeOf(() =>
    checkSameSite(gatewayEvent({ method, headers: { host, ...headers } }), ['https://app.example']),
  );

test.each([
  ['from the same origin', { 'sec-fetch-site': 'same-origin' }],
  ['that the user typed in', { 'sec-fetch-site': 'none' }],
  ['with the origin of the host', { origin: `https://${host}` }],
  [
    'of the same origin, whatever Origin says',
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  ],
  ['of a client that is no browser', {}],
  ['of an allowed origin', { origin: 'https://app.example' }],
  ['of an allowed origin on another site', { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }],
  ['that navigates', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
])('a request %s passes', (_name, headers) => {
  expect(outcome(headers as Record<string, string>)).toBeUndefined();
});

test.each([
  ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ['of a sibling domain', { 'sec-fetch-site': 'same-site' }],
  ['of a site that names itself falsely', { 'sec-fetch-site': 'cross-site', origin: `https://${host}` }],
  ['with an unknown or empty site', { 'sec-fetch-site': '' }],
  ['with another origin', { origin: 'https://evil.example' }],
  ['with an origin that begins alike', { origin: `https://${host}.evil.example` }],
  ['with another port', { origin: `https://${host}:8443` }],
  ['with the opaque origin', { origin: 'null' }],
  ['with an empty origin', { origin: '' }],
  ['with an origin that begins as an allowed one', { origin: 'https://app.example.evil' }],
  ['for an image of a page of its own', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
])('a request %s is forbidden', (_name, headers) => {
  expect(outcome(headers as Record<string, string>)).toBe('forbidden');
});

test.each([
  ['Origin', { origin: 'https://evil.example' }],
  ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site', origin: `https://${host}` }],
  ['Sec-Fetch-Mode', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
])('a refusal names %s where that has decided', (field, headers) => {
  const event = gatewayEvent({ method: 'GET', headers: { host, ...headers } as Record<string, string> });
  expect(refusal(() => checkSameSite(event, []))).toEqual({ code: 'forbidden', fields: [field] });
});

test('the local instance compares the port as well', () => {
  const local = { host: '127.0.0.1:3000' };
  expect(outcome({ ...local, origin: 'http://127.0.0.1:3000' })).toBeUndefined();
  expect(outcome({ ...local, origin: 'http://127.0.0.1:4000' })).toBe('forbidden');
});

test('a page may send a beacon to its own site', () => {
  expect(outcome({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }, 'POST')).toBeUndefined();
});
