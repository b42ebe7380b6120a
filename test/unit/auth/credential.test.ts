import { expect, test } from 'vitest';
import { credentialOf } from '#lib/auth/credential';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { generateApiToken } from '#lib/token/secret';
import { seededBytes } from '../../names.ts';
import { failureOf, refusal } from '../support/code-of.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

const TOKEN = generateApiToken(seededBytes);
const JWT = 'aGVhZGVy.cGF5bG9hZA.c2lnbmF0dXJl';
const OTHER_JWT = 'aGVhZGVy.b3RoZXI.c2lnbmF0dXJl';

const header = (authorization: string) => gatewayEvent({ headers: { authorization } });
const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const basic = (text: string) => header(encoded(text));
const BASIC = encoded(`api:${TOKEN}`);
const query = (rawQueryString: string) => gatewayEvent({ rawQueryString });
const cookies = (...values: string[]) => gatewayEvent({ cookies: values });
const THREE = gatewayEvent({
  headers: { authorization: `Token ${TOKEN}` },
  rawQueryString: `ptoken=${JWT}`,
  cookies: [`ptoken=${OTHER_JWT}`],
});
const read = (event: GatewayEvent, allowQueryToken = true) => credentialOf(event, allowQueryToken);

test.each<[string, { event: GatewayEvent; kind: 'api-token' | 'jwt'; value: string; isCookie?: true }]>([
  ['an API token after Token', { event: header(`Token ${TOKEN}`), kind: 'api-token', value: TOKEN }],
  ['a JWT after Bearer', { event: header(`Bearer ${JWT}`), kind: 'jwt', value: JWT }],
  ['an API token of the user api after Basic', { event: header(BASIC), kind: 'api-token', value: TOKEN }],
  ['a scheme in lower case', { event: header(`bearer ${JWT}`), kind: 'jwt', value: JWT }],
  ['a scheme in upper case', { event: header(`TOKEN ${TOKEN}`), kind: 'api-token', value: TOKEN }],
  [
    'an API token after Basic with a user that a form has padded',
    { event: header(encoded(`\u200bapi\u00a0:${TOKEN}`)), kind: 'api-token', value: TOKEN },
  ],
  [
    'Basic in mixed case',
    { event: header(BASIC.replace('Basic', 'bASIC')), kind: 'api-token', value: TOKEN },
  ],
  [
    'the password of Basic that an OAuth client has percent-encoded',
    { event: basic(`api:${TOKEN.replace('_', '%5F')}`), kind: 'api-token', value: TOKEN },
  ],
  ['several spaces after the scheme', { event: header(`Bearer   ${JWT}`), kind: 'jwt', value: JWT }],
  ['an API token in the query', { event: query(`ptoken=api:${TOKEN}`), kind: 'api-token', value: TOKEN }],
  [
    'an encoded colon in the query',
    { event: query(`a=1&ptoken=api%3A${TOKEN}`), kind: 'api-token', value: TOKEN },
  ],
  ['a JWT in the query', { event: query(`ptoken=${JWT}&a=1`), kind: 'jwt', value: JWT }],
  ['an encoded name in the query', { event: query(`%70token=${JWT}`), kind: 'jwt', value: JWT }],
  ['a JWT in a cookie', { event: cookies('a=1', `ptoken=${JWT}`), kind: 'jwt', value: JWT, isCookie: true }],
  ['the header before the others', { event: THREE, kind: 'api-token', value: TOKEN }],
  ['the query before the cookie', { event: { ...THREE, headers: {} }, kind: 'jwt', value: JWT }],
  [
    'the cookie last',
    { event: { ...THREE, headers: {}, rawQueryString: '' }, kind: 'jwt', value: OTHER_JWT, isCookie: true },
  ],
])('credentialOf takes %s', (_title, { event, kind, value, isCookie }) => {
  expect(read(event)).toEqual({ kind, value, isCookie, address: '192.0.2.1' });
});

test.each<[string, GatewayEvent]>([
  ['an empty header', header('')],
  ['a blank header', header('   ')],
  ['a scheme alone', header('Bearer')],
  ['a scheme and a space alone', header('Bearer ')],
  ['a credential without a scheme', header(JWT)],
  ['two credentials', header(`Bearer ${JWT} ${JWT}`)],
  ['a word before the scheme', header(`Please Bearer ${JWT}`)],
  ['an API token as Bearer', header(`Bearer ${TOKEN}`)],
  ['a JWT as Token', header(`Token ${JWT}`)],
  ['api: before an API token', header(`Token api:${TOKEN}`)],
  ['a JWT as the password of Basic', basic(`api:${JWT}`)],
  ['another user for Basic', basic(`admin:${TOKEN}`)],
  ['the user API in capitals', basic(`API:${TOKEN}`)],
  ['no user for Basic', basic(`:${TOKEN}`)],
  ['a user in another case for Basic', basic(`API:${TOKEN}`)],
  ['a password with white space for Basic', basic(`api: ${TOKEN}`)],
  ['no colon for Basic', basic(`api${TOKEN}`)],
  ['an empty password for Basic', basic('api:')],
  ['more after a second colon', basic(`api:${TOKEN}:more`)],
  ['a password of Basic that is encoded twice', basic(`api:${TOKEN.replace('_', '%255F')}`)],
  ['a password of Basic with a malformed code', basic(`api:${TOKEN.replace('_', '%F')}`)],
  ['a text for Basic that is not base64', header('Basic ***')],
  ['more behind the base64 of Basic', header(`${BASIC}!`)],
  ['more in the base64 of Basic', header(BASIC.replace('YX', 'Y*X'))],
  ['no padding of the base64 of Basic', header(BASIC.replace(/=+$/, ''))],
  ['an unknown scheme', header(`Negotiate ${JWT}`)],
  ['the parameters of Digest', header('Digest username="api", realm="r", uri="/", response="x"')],
  ['Digest parameters without spaces', header('Digest realm="bearer",uri="/",response="x"')],
  ['a mistyped API token', header(`Token ${TOKEN.slice(0, -1)}${TOKEN.endsWith('0') ? '1' : '0'}`)],
  ['a JWT of two parts', header('Bearer a.b')],
  ['a JWT of four parts', header('Bearer a.b.c.d')],
  ['a JWT with an empty part', header('Bearer a..c')],
  ['a query without a value', query('ptoken')],
  ['an empty query', query('ptoken=')],
  ['an API token without api: in the query', query(`ptoken=${TOKEN}`)],
  ['API: in capitals in the query', query(`ptoken=API:${TOKEN}`)],
  ['api: before a JWT in the query', query(`ptoken=api:${JWT}`)],
  ['another text in the query', query('ptoken=x')],
  ['no credential', gatewayEvent()],
  ['another parameter', query('a=1')],
  ['an API token in a cookie', cookies(`ptoken=${TOKEN}`)],
  ['api: and an API token in a cookie', cookies(`ptoken=api:${TOKEN}`)],
  ['an empty cookie', cookies('ptoken=')],
  ['a repeated cookie', cookies(`ptoken=${JWT}`, `ptoken=${JWT}`)],
  ['a repeated cookie, once empty', cookies('ptoken=', `ptoken=${JWT}`)],
  ['cookies of other names', cookies(`ptoken2=${JWT}`, `xptoken=${JWT}`, `PTOKEN=${JWT}`)],
  ['an empty header before others', { ...THREE, headers: { authorization: '' } }],
  ['a header of an unknown scheme before others', { ...THREE, headers: { authorization: 'Digest a="b"' } }],
  ['a mistyped token before others', { ...THREE, headers: { authorization: 'Token cst_x' } }],
  ['an empty query before a cookie', { ...THREE, headers: {}, rawQueryString: 'ptoken=' }],
])('credentialOf answers unauthenticated to %s', (_title, event) => {
  expect(refusal(() => read(event))?.code).toBe('unauthenticated');
});

const AS_TOKEN = /^Send an API token as "Authorization: Token <token>"/;
const AS_BEARER = /^Send a session token as "Authorization: Bearer <token>"\.$/;
const EITHER = /^Send "Authorization: Token <API token>" or "Authorization: Bearer <session token>"\.$/;

test.each<[string, GatewayEvent, advice: RegExp | undefined]>([
  ['an API token as Bearer', header(`Bearer ${TOKEN}`), AS_TOKEN],
  ['a made-up API token as Bearer', header('Bearer cst_x'), AS_TOKEN],
  ['a session token as Token', header(`Token ${JWT}`), AS_BEARER],
  ['a session token as the password of Basic', basic(`api:${JWT}`), AS_BEARER],
  ['another user of Basic', basic(`ada:${TOKEN}`), AS_TOKEN],
  ['an API token without a scheme', header(TOKEN), AS_TOKEN],
  ['a session token without a scheme', header(JWT), AS_BEARER],
  ['another text without a scheme', header('secret'), EITHER],
  ['an API token of an unknown scheme', header(`ApiKey ${TOKEN}`), AS_TOKEN],
  ['X-API-Key', gatewayEvent({ headers: { 'x-api-key': TOKEN } }), AS_TOKEN],
  ['no credential', gatewayEvent(), EITHER],
  ['another text as Bearer', header('Bearer x'), undefined],
  ['a mistyped API token', header(`Token ${TOKEN}x`), undefined],
])('credentialOf says where a credential belongs for %s', (_title, event, advice) => {
  const given = failureOf(() => read(event))?.advice;
  if (advice) expect(given).toMatch(advice);
  else expect(given).toBeUndefined();
});

test.each<[string, GatewayEvent, field: string]>([
  ['a header', header(`Bearer ${JWT},Bearer ${JWT}`), 'authorization'],
  ['a header, with a space after the comma', header(`Bearer ${JWT}, Token ${TOKEN}`), 'authorization'],
  ['Basic before a text like a parameter', header(`${BASIC}, x=1`), 'authorization'],
  ['Basic', header(`${BASIC},${BASIC}`), 'authorization'],
  ['a header after a blank', header(` Bearer ${JWT}, x=1`), 'authorization'],
  ['a header, first empty', header(`,Bearer ${JWT}`), 'authorization'],
  ['a header, then without a value', header(`Bearer ${JWT},Bearer`), 'authorization'],
  ['a query', query(`ptoken=${JWT}&ptoken=${JWT}`), 'ptoken'],
  ['a query, first empty', query(`ptoken=&ptoken=${JWT}`), 'ptoken'],
  ['a query, then encoded', query(`ptoken=${JWT}&%70token=${JWT}`), 'ptoken'],
  ['a query after a header', { ...THREE, rawQueryString: `ptoken=${JWT}&ptoken=${JWT}` }, 'ptoken'],
])('credentialOf refuses to choose when a request repeats %s', (_title, event, field) => {
  expect(refusal(() => read(event))).toEqual({ code: 'invalid_request', fields: [field] });
});

test('credentialOf ignores a disabled query and a repeated cookie after a header', () => {
  const repeated = { ...THREE, cookies: [`ptoken=${JWT}`, `ptoken=${JWT}`] };
  expect(read(repeated, false)).toMatchObject({ value: TOKEN });
});

test('credentialOf answers unauthenticated to a disabled query, even with a cookie', () => {
  for (const event of [query(`ptoken=${JWT}`), { ...THREE, headers: {} }])
    expect(refusal(() => read(event, false))?.code).toBe('unauthenticated');
});

test.each<[string, GatewayEvent]>([
  ['a header', header(`Bearer ${TOKEN}`)],
  ['a repeated header', header(`Bearer ${TOKEN},Bearer ${TOKEN}`)],
  ['a repeated query', query(`ptoken=${TOKEN}&ptoken=${TOKEN}`)],
  ['a cookie', cookies(`ptoken=${TOKEN}`)],
])('the refusal of %s does not quote the credential', async (_title, event) => {
  const outcome = await Promise.resolve(event)
    .then(read)
    .catch((error: unknown) => error);
  expect(JSON.stringify(outcome) + String(outcome)).not.toContain(TOKEN);
});
