import { expect, test } from 'vitest';
import { checkSameSite } from '#lib/auth/cross-site';
import { refusal } from '../support/code-of.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

const HOST = 'api.example.com';
const OWN = `https://${HOST}`;
const ALLOWED = 'https://app.example';
const LOCAL = 'http://127.0.0.1';
const EVIL = 'https://evil.example';

/** Values of `Sec-Fetch-Site`, `Origin`, `Sec-Fetch-Mode` and `Host`; absent when undefined. */
type Sent = readonly (string | undefined)[];
const fault = ([site, origin, mode, host = HOST]: Sent, method = 'GET') => {
  const proto = host === HOST ? 'https' : 'http';
  const all = { 'sec-fetch-site': site, origin, 'sec-fetch-mode': mode, host, 'x-forwarded-proto': proto };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return refusal(() =>
    checkSameSite(gatewayEvent({ method, headers: headers as Record<string, string> }), [ALLOWED]),
  );
};

test.each<[string, Sent, method?: string]>([
  ['of its own origin', ['same-origin']],
  ['of its own origin, whatever Origin says', ['same-origin', EVIL]],
  ['that the user typed in', ['none', undefined, 'navigate']],
  ['with the origin of the host', [undefined, OWN]],
  ['with the origin and port of the host', [undefined, `${LOCAL}:3000`, undefined, '127.0.0.1:3000']],
  ['of a client that is no browser', []],
  ['of an allowed origin', [undefined, ALLOWED]],
  ['of an allowed origin on another site', ['cross-site', ALLOWED]],
  ['for a beacon of its own page', ['same-origin', undefined, 'no-cors'], 'POST'],
])('a request %s passes', (_title, sent, method) => {
  expect(fault(sent, method)).toBeUndefined();
});

test.each<[string, Sent, field: string]>([
  ['of another site', ['cross-site'], 'sec-fetch-site'],
  ['of a sibling domain', ['same-site'], 'sec-fetch-site'],
  ['of a site that names itself falsely', ['cross-site', OWN], 'sec-fetch-site'],
  ['with an empty site', [''], 'sec-fetch-site'],
  ['with another origin', [undefined, EVIL], 'origin'],
  ['with an origin that begins alike', [undefined, `${OWN}.evil.example`], 'origin'],
  ['with an origin that begins as an allowed one', [undefined, `${ALLOWED}.evil`], 'origin'],
  ['with another scheme', [undefined, `http://${HOST}`], 'origin'],
  ['with another local scheme', [undefined, 'https://127.0.0.1:3000', undefined, '127.0.0.1:3000'], 'origin'],
  ['with another port', [undefined, `${OWN}:8443`], 'origin'],
  ['with another port of a local host', [undefined, `${LOCAL}:4000`, undefined, '127.0.0.1:3000'], 'origin'],
  ['with the opaque origin', [undefined, 'null'], 'origin'],
  ['with an empty origin', [undefined, ''], 'origin'],
  ['for an image of its own page', ['same-origin', undefined, 'no-cors'], 'sec-fetch-mode'],
])('a request %s is forbidden, and the refusal names the header', (_title, sent, field) => {
  expect(fault(sent)).toEqual({ code: 'forbidden', fields: [field] });
});
