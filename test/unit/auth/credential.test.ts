import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { credentialOf } from '#lib/auth/credential';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { generateApiToken } from '#lib/token/secret';
import { refusal } from '../support/code-of.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

const TOKEN = generateApiToken(randomBytes);
const JWT = 'aGVhZGVy.cGF5bG9hZA.c2lnbmF0dXJl';
const OTHER_JWT = 'aGVhZGVy.b3RoZXI.c2lnbmF0dXJl';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const header = (authorization: string) => gatewayEvent({ headers: { authorization } });
const query = (rawQueryString: string) => gatewayEvent({ rawQueryString });
const cookies = (...values: string[]) => gatewayEvent({ cookies: values });
const read = (event: GatewayEvent, allowQueryToken = true) => credentialOf(event, allowQueryToken);
const codeOf = (event: GatewayEvent, allowQueryToken = true) =>
  refusal(() => credentialOf(event, allowQueryToken))?.code;

describe('the Authorization header', () => {
  test.each([
    ['Token takes an API token', `Token ${TOKEN}`, 'api-token', TOKEN],
    ['Bearer takes a JWT', `Bearer ${JWT}`, 'jwt', JWT],
    ['Basic takes the user api and an API token', basic(`api:${TOKEN}`), 'api-token', TOKEN],
    ['the scheme may be in lower case', `bearer ${JWT}`, 'jwt', JWT],
    ['the scheme may be in upper case', `TOKEN ${TOKEN}`, 'api-token', TOKEN],
    [
      'the scheme of Basic may be in mixed case',
      basic(`api:${TOKEN}`).replace('Basic', 'bASIC'),
      'api-token',
      TOKEN,
    ],
    ['several spaces may follow the scheme', `Bearer   ${JWT}`, 'jwt', JWT],
  ] as const)('%s', (_name, authorization, kind, value) => {
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
    ['has more behind the base64 of Basic', `${basic(`api:${TOKEN}`)}!`],
    ['has more in the base64 of Basic', basic(`api:${TOKEN}`).replace('YX', 'Y*X')],
    ['has no padding of the base64 of Basic', basic(`api:${TOKEN}`).replace(/=+$/, '')],
    ['has an unknown scheme', `Negotiate ${JWT}`],
    [
      'has the many parameters of Digest',
      'Digest username="api", realm="r", nonce="n", uri="/", response="x"',
    ],
    ['has a mistyped API token', `Token ${TOKEN.slice(0, -1)}${TOKEN.endsWith('0') ? '1' : '0'}`],
    ['has a JWT of two parts', 'Bearer a.b'],
    ['has a JWT of four parts', 'Bearer a.b.c.d'],
    ['has a JWT with an empty part', 'Bearer a..c'],
  ])('is unauthenticated where it %s', (_name, authorization) => {
    expect(codeOf(header(authorization))).toBe('unauthenticated');
  });

  test.each([
    ['the same', `Bearer ${JWT},Bearer ${JWT}`],
    ['with a space after the comma', `Bearer ${JWT}, Token ${TOKEN}`],
    ['of Basic before what looks like a parameter', `${basic(`api:${TOKEN}`)}, x=1`],
    ['of Basic', `${basic(`api:${TOKEN}`)},${basic(`api:${TOKEN}`)}`],
    ['the first of them empty', `,Bearer ${JWT}`],
    ['the second without a value', `Bearer ${JWT},Bearer`],
  ])('is invalid when sent twice: %s', (_name, authorization) => {
    expect(refusal(() => read(header(authorization)))).toEqual({
      code: 'invalid_request',
      fields: ['Authorization'],
    });
  });
});

describe('the query parameter ptoken', () => {
  test('takes an API token after api:', () => {
    expect(read(query(`ptoken=api:${TOKEN}`))).toEqual({ kind: 'api-token', value: TOKEN, via: 'query' });
    expect(read(query(`a=1&ptoken=api%3A${TOKEN}`))).toEqual({
      kind: 'api-token',
      value: TOKEN,
      via: 'query',
    });
  });

  test('takes a JWT', () => {
    expect(read(query(`ptoken=${JWT}&a=1`))).toEqual({ kind: 'jwt', value: JWT, via: 'query' });
  });

  test('is recognised however its name is encoded', () => {
    expect(read(query(`%70token=${JWT}`)).via).toBe('query');
  });

  test.each(['ptoken', 'ptoken=', `ptoken=${TOKEN}`, `ptoken=API:${TOKEN}`, `ptoken=api:${JWT}`, 'ptoken=x'])(
    'is unauthenticated as %s',
    (rawQueryString) => {
      expect(codeOf(query(rawQueryString))).toBe('unauthenticated');
    },
  );

  test.each([`ptoken=${JWT}&ptoken=${JWT}`, `ptoken=&ptoken=${JWT}`, `ptoken=${JWT}&%70token=${JWT}`])(
    'is invalid when sent twice: %s',
    (rawQueryString) => {
      expect(refusal(() => read(query(rawQueryString)))).toEqual({
        code: 'invalid_request',
        fields: ['ptoken'],
      });
      const withHeader = gatewayEvent({ rawQueryString, headers: { authorization: `Bearer ${JWT}` } });
      expect(codeOf(withHeader)).toBe('invalid_request');
    },
  );

  test('is unauthenticated where the setting turns it off, cookie or not', () => {
    expect(codeOf(query(`ptoken=${JWT}`), false)).toBe('unauthenticated');
    const withCookie = gatewayEvent({ rawQueryString: `ptoken=${JWT}`, cookies: [`ptoken=${JWT}`] });
    expect(codeOf(withCookie, false)).toBe('unauthenticated');
  });

  test('does not matter beside a header, even where the setting turns it off', () => {
    const event = gatewayEvent({
      rawQueryString: `ptoken=${OTHER_JWT}`,
      headers: { authorization: `Bearer ${JWT}` },
    });
    expect(read(event, false)).toMatchObject({ value: JWT, via: 'header' });
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
    ['is sent twice', [`ptoken=${JWT}`, `ptoken=${JWT}`]],
    ['is sent twice, once empty', ['ptoken=', `ptoken=${JWT}`]],
    ['has another name', [`ptoken2=${JWT}`, `xptoken=${JWT}`, `PTOKEN=${JWT}`]],
  ])('is unauthenticated where it %s', (_name, values) => {
    expect(codeOf(cookies(...values))).toBe('unauthenticated');
  });

  test('may be repeated where a header decides', () => {
    const event = gatewayEvent({
      headers: { authorization: `Bearer ${JWT}` },
      cookies: [`ptoken=${OTHER_JWT}`, `ptoken=${OTHER_JWT}`],
    });
    expect(read(event).value).toBe(JWT);
  });
});

describe('of several ways', () => {
  test('the header decides, then the query, then the cookie', () => {
    const three = gatewayEvent({
      headers: { authorization: `Token ${TOKEN}` },
      rawQueryString: `ptoken=${JWT}`,
      cookies: [`ptoken=${OTHER_JWT}`],
    });
    expect(read(three).value).toBe(TOKEN);
    expect(read({ ...three, headers: {} }).value).toBe(JWT);
    expect(read({ ...three, headers: {}, rawQueryString: '' }).value).toBe(OTHER_JWT);
  });

  test.each([
    ['an empty header', { headers: { authorization: '' } }],
    ['a header of an unknown scheme', { headers: { authorization: 'Digest a="b", c="d"' } }],
    ['a mistyped token', { headers: { authorization: 'Token cst_x' } }],
    ['an empty query parameter', { rawQueryString: 'ptoken=' }],
  ])('%s never gives way to a good credential that is weaker', (_name, stronger) => {
    const event = gatewayEvent({ rawQueryString: `ptoken=${JWT}`, cookies: [`ptoken=${JWT}`], ...stronger });
    expect(codeOf(event)).toBe('unauthenticated');
  });

  test('none at all is unauthenticated', () => {
    expect(codeOf(gatewayEvent())).toBe('unauthenticated');
    expect(codeOf(query('a=1'))).toBe('unauthenticated');
  });
});

test('a refusal does not repeat the credential', () => {
  const events = [
    header(`Bearer ${TOKEN}`),
    header(`Bearer ${TOKEN},Bearer ${TOKEN}`),
    query(`ptoken=${TOKEN}`),
    query(`ptoken=${TOKEN}&ptoken=${TOKEN}`),
    cookies(`ptoken=${TOKEN}`),
  ];
  for (const event of events) {
    let thrown: unknown;
    try {
      read(event);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeDefined();
    expect(JSON.stringify(thrown) + String(thrown)).not.toContain(TOKEN);
  }
});
