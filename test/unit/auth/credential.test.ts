import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { credentialOf } from '#lib/auth/credential';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { Failure } from '#lib/failure';
import { generateApiToken } from '#lib/token/secret';
import { refusal } from '../support/code-of.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

const TOKEN = generateApiToken(randomBytes);
const JWT = 'aGVhZGVy.cGF5bG9hZA.c2lnbmF0dXJl';
const OTHER_JWT = 'aGVhZGVy.b3RoZXI.c2lnbmF0dXJl';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const BASIC = basic(`api:${TOKEN}`);
const header = (authorization: string) => gatewayEvent({ headers: { authorization } });
const query = (rawQueryString: string) => gatewayEvent({ rawQueryString });
const cookies = (...values: string[]) => gatewayEvent({ cookies: values });
const read = (event: GatewayEvent, allowQueryToken = true) => credentialOf(event, allowQueryToken);
const codeOf = (event: GatewayEvent, allowQueryToken = true) =>
  refusal(() => credentialOf(event, allowQueryToken))?.code;
const invalid = (field: string) => ({ code: 'invalid_request', fields: [field] });

describe('the Authorization header', () => {
  test.each([
    ['Token takes an API token', `Token ${TOKEN}`, 'api-token', TOKEN],
    ['Bearer takes a JWT', `Bearer ${JWT}`, 'jwt', JWT],
    ['Basic takes the user api and an API token', BASIC, 'api-token', TOKEN],
    ['the scheme may be in lower case', `bearer ${JWT}`, 'jwt', JWT],
    ['the scheme may be in upper case', `TOKEN ${TOKEN}`, 'api-token', TOKEN],
    ['Basic may be in mixed case', BASIC.replace('Basic', 'bASIC'), 'api-token', TOKEN],
    ['several spaces may follow the scheme', `Bearer   ${JWT}`, 'jwt', JWT],
  ])('%s', (_title, authorization, kind, value) => {
    expect(read(header(authorization))).toEqual({ kind, value, via: 'header' });
  });

  test.each([
    ['is empty', ''],
    ['is blank', '   '],
    ['has a scheme alone', 'Bearer'],
    ['has a scheme and a space alone', 'Bearer '],
    ['has a credential without a scheme', JWT],
    ['has two credentials', `Bearer ${JWT} ${JWT}`],
    ['has a word before the scheme', `Please Bearer ${JWT}`],
    ['has an API token as Bearer', `Bearer ${TOKEN}`],
    ['has a JWT as Token', `Token ${JWT}`],
    ['has api: before an API token', `Token api:${TOKEN}`],
    ['has a JWT as the password of Basic', basic(`api:${JWT}`)],
    ['has another user for Basic', basic(`admin:${TOKEN}`)],
    ['has the user API in capitals', basic(`API:${TOKEN}`)],
    ['has a space before the user', basic(` api:${TOKEN}`)],
    ['has no user for Basic', basic(`:${TOKEN}`)],
    ['has no colon for Basic', basic(`api${TOKEN}`)],
    ['has an empty password for Basic', basic('api:')],
    ['has more after a second colon', basic(`api:${TOKEN}:more`)],
    ['has a text for Basic that is not base64', 'Basic ***'],
    ['has more behind the base64 of Basic', `${BASIC}!`],
    ['has more in the base64 of Basic', BASIC.replace('YX', 'Y*X')],
    ['has no padding of the base64 of Basic', BASIC.replace(/=+$/, '')],
    ['has an unknown scheme', `Negotiate ${JWT}`],
    ['has the parameters of Digest', 'Digest username="api", realm="r", nonce="n", uri="/", response="x"'],
    ['has a mistyped API token', `Token ${TOKEN.slice(0, -1)}${TOKEN.endsWith('0') ? '1' : '0'}`],
    ['has a JWT of two parts', 'Bearer a.b'],
    ['has a JWT of four parts', 'Bearer a.b.c.d'],
    ['has a JWT with an empty part', 'Bearer a..c'],
  ])('is unauthenticated when it %s', (_title, authorization) => {
    expect(codeOf(header(authorization))).toBe('unauthenticated');
  });

  test.each([
    ['the same', `Bearer ${JWT},Bearer ${JWT}`],
    ['with a space after the comma', `Bearer ${JWT}, Token ${TOKEN}`],
    ['of Basic before what looks like a parameter', `${BASIC}, x=1`],
    ['of Basic', `${BASIC},${BASIC}`],
    ['the first of them empty', `,Bearer ${JWT}`],
    ['the second without a value', `Bearer ${JWT},Bearer`],
  ])('is invalid when repeated: %s', (_title, authorization) => {
    expect(refusal(() => read(header(authorization)))).toEqual(invalid('Authorization'));
  });
});

describe('the query parameter ptoken', () => {
  test.each([
    ['an API token after api:', `ptoken=api:${TOKEN}`, 'api-token', TOKEN],
    ['an API token after an encoded colon', `a=1&ptoken=api%3A${TOKEN}`, 'api-token', TOKEN],
    ['a JWT', `ptoken=${JWT}&a=1`, 'jwt', JWT],
    ['a JWT when its name is encoded', `%70token=${JWT}`, 'jwt', JWT],
  ])('takes %s', (_title, rawQueryString, kind, value) => {
    expect(read(query(rawQueryString))).toEqual({ kind, value, via: 'query' });
  });

  test.each(['ptoken', 'ptoken=', `ptoken=${TOKEN}`, `ptoken=API:${TOKEN}`, `ptoken=api:${JWT}`, 'ptoken=x'])(
    'is unauthenticated as %s',
    (rawQueryString) => {
      expect(codeOf(query(rawQueryString))).toBe('unauthenticated');
    },
  );

  test.each([`ptoken=${JWT}&ptoken=${JWT}`, `ptoken=&ptoken=${JWT}`, `ptoken=${JWT}&%70token=${JWT}`])(
    'is invalid when repeated, even with a header: %s',
    (rawQueryString) => {
      for (const headers of [{}, { authorization: `Bearer ${JWT}` }])
        expect(refusal(() => read(gatewayEvent({ rawQueryString, headers })))).toEqual(invalid('ptoken'));
    },
  );

  test('is unauthenticated when the setting disables it, even with a cookie', () => {
    const event = query(`ptoken=${JWT}`);
    expect(codeOf(event, false)).toBe('unauthenticated');
    expect(codeOf({ ...event, cookies: [`ptoken=${JWT}`] }, false)).toBe('unauthenticated');
  });
});

describe('the cookie ptoken', () => {
  test('takes a JWT', () => {
    expect(read(cookies('a=1', `ptoken=${JWT}`))).toEqual({ kind: 'jwt', value: JWT, via: 'cookie' });
  });

  test.each([
    ['holds an API token', [`ptoken=${TOKEN}`]],
    ['holds api: and an API token', [`ptoken=api:${TOKEN}`]],
    ['is empty', ['ptoken=']],
    ['is repeated', [`ptoken=${JWT}`, `ptoken=${JWT}`]],
    ['is repeated, once empty', ['ptoken=', `ptoken=${JWT}`]],
    ['has another name', [`ptoken2=${JWT}`, `xptoken=${JWT}`, `PTOKEN=${JWT}`]],
  ])('is unauthenticated when it %s', (_title, values) => {
    expect(codeOf(cookies(...values))).toBe('unauthenticated');
  });
});

describe('the order of credentials', () => {
  const three = gatewayEvent({
    headers: { authorization: `Token ${TOKEN}` },
    rawQueryString: `ptoken=${JWT}`,
    cookies: [`ptoken=${OTHER_JWT}`],
  });

  test('is header, query, cookie', () => {
    expect(read(three).value).toBe(TOKEN);
    expect(read({ ...three, headers: {} }).value).toBe(JWT);
    expect(read({ ...three, headers: {}, rawQueryString: '' }).value).toBe(OTHER_JWT);
  });

  test('ignores a disabled query and a repeated cookie after a header', () => {
    const repeated = { ...three, cookies: [`ptoken=${JWT}`, `ptoken=${JWT}`] };
    expect(read(repeated, false)).toMatchObject({ value: TOKEN, via: 'header' });
  });

  test.each([
    ['an empty header', { headers: { authorization: '' } }],
    ['a header of an unknown scheme', { headers: { authorization: 'Digest a="b", c="d"' } }],
    ['a mistyped token', { headers: { authorization: 'Token cst_x' } }],
    ['an empty query parameter', { headers: {}, rawQueryString: 'ptoken=' }],
  ])('does not pass over %s', (_title, stronger) => {
    expect(codeOf({ ...three, ...stronger })).toBe('unauthenticated');
  });
});

test('a request without a credential is unauthenticated', () => {
  for (const event of [gatewayEvent(), query('a=1')]) expect(codeOf(event)).toBe('unauthenticated');
});

test.each([
  ['a header', header(`Bearer ${TOKEN}`)],
  ['a repeated header', header(`Bearer ${TOKEN},Bearer ${TOKEN}`)],
  ['a query', query(`ptoken=${TOKEN}`)],
  ['a repeated query', query(`ptoken=${TOKEN}&ptoken=${TOKEN}`)],
  ['a cookie', cookies(`ptoken=${TOKEN}`)],
])('the refusal of %s does not quote the credential', (_title, event) => {
  let thrown: unknown;
  try {
    read(event);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Failure);
  expect(JSON.stringify(thrown) + String(thrown)).not.toContain(TOKEN);
});
