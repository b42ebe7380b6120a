import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { parse } from '#lib/parse';
import { info, jwks, ping, preview, uuid, uuids } from '#lib/system/contracts';
import { errorsOf } from '../support/errors-of.ts';

const UUID = 'c2ff3d1f-e3b1-7dad-8361-017f22e279b0';
const fits = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;
const without = (value: object, key: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));

describe('the query of the system information', () => {
  test('may ask for the settings, or not', () => {
    expect(parse(info.query(), {})).toEqual({});
    expect(parse(info.query(), { setup: 'true' })).toEqual({ setup: true });
    expect(parse(info.query(), { setup: 'false' })).toEqual({ setup: false });
  });

  test.each(['', '1', 'True', 'yes'])('may not say %j', (setup) => {
    expect(errorsOf(info.query(), { setup })).toEqual([{ field: 'setup', message: 'Must be true or false' }]);
  });
});

describe('the body of a preview', () => {
  test('is a text, with or without its type', () => {
    for (const body of [{ painput: '' }, { painput: '# a', patype: 'markdown' }])
      expect(parse(preview.body(), body)).toEqual(body);
  });

  test.each<[object, string, string]>([
    [{}, 'painput', 'Is required'],
    [{ painput: 'a', patype: 'html' }, 'patype', 'Must be markdown'],
    [{ painput: 'a', surprise: 1 }, 'surprise', 'Unknown property'],
  ])('is not %j', (body, field, message) => {
    expect(errorsOf(preview.body(), body)).toEqual([{ field, message }]);
  });

  test('is not a number', () => {
    expect(errorsOf(preview.body(), { painput: 1 }).map(({ field }) => field)).toEqual(['painput']);
  });
});

describe('the number of UUIDs', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['00010', 10],
    ['10000', 10_000],
  ])('may be %s', (n, number) => {
    expect(parse(uuids.query(), { n })).toEqual({ n: number });
  });

  test.each([undefined, '', '10001', '99999', '-1', '1.0', '1e3', 'x1', '1x', '000001'])(
    'may not be %j',
    (n) => {
      expect(errorsOf(uuids.query(), { n })).toEqual([
        { field: 'n', message: 'Must be a whole number from 0 to 10000' },
      ]);
    },
  );
});

describe('the answer', () => {
  test('of a preview is the page, or the HTML in JSON', () => {
    for (const answer of ['<p>', { html: '<p>' }]) expect(fits(preview.response(), answer)).toBe(true);
    for (const answer of [1, {}, { html: 1 }, { html: '', more: 1 }])
      expect(fits(preview.response(), answer)).toBe(false);
  });

  test('of the UUIDs is one, or an array of them', () => {
    expect(fits(uuid.response(), UUID)).toBe(true);
    for (const answer of ['x', [UUID], 1]) expect(fits(uuid.response(), answer)).toBe(false);
    for (const answer of [[], [UUID, UUID]]) expect(fits(uuids.response(), answer)).toBe(true);
    for (const answer of [UUID, ['x']]) expect(fits(uuids.response(), answer)).toBe(false);
  });

  const pong = {
    ping: 'pong',
    method: 'GET',
    query: { a: 'b' },
    body: null,
    username: 'Ada',
    executed_at: 'x',
  };

  test('of a ping is what was sent, of whatever kind the body is', () => {
    for (const body of [null, 1, 'a', [], { a: 1 }])
      expect(fits(ping.response(), { ...pong, body })).toBe(true);
    for (const part of [
      { ping: 'ping' },
      { method: 1 },
      { query: { a: 1 } },
      { username: 1 },
      { executed_at: 1 },
      { more: 1 },
    ])
      expect(fits(ping.response(), { ...pong, ...part }), JSON.stringify(part)).toBe(false);
    expect(fits(ping.body(), { a: [1, null] })).toBe(true);
  });

  const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k', alg: 'ES256', use: 'sig' };

  test('of the keys is public members only', () => {
    expect(fits(jwks.response(), { keys: [key] })).toBe(true);
    expect(fits(jwks.response(), { keys: [] })).toBe(true);
    for (const name of Object.keys(key))
      expect(fits(jwks.response(), { keys: [without(key, name)] }), name).toBe(false);
    for (const part of [{ kty: 'RSA' }, { crv: 'P-384' }, { alg: 'none' }, { use: 'enc' }, { d: 'secret' }])
      expect(fits(jwks.response(), { keys: [{ ...key, ...part }] }), JSON.stringify(part)).toBe(false);
    expect(fits(jwks.response(), { keys: [key], more: 1 })).toBe(false);
  });

  const information = {
    'kv.v.api.token': '',
    'kv.v.api.url': 'u',
    'kv.v.api.version': '1',
    'kv.v.owner.language': 'en',
    'kv.v.owner.name': 'o',
    'kv.v.user.app_name': 'core',
    'kv.v.user.currency': 'EUR',
    'kv.v.user.teamid': '',
    'kv.v.user.userid': UUID,
    'kv.v.user.username': 'Ada',
    'kv.v.user.apps': ['core'],
  };
  const setup = {
    'kv.v.setup.instance': 'one',
    'kv.v.setup.jwt_expire_hours': 0.5,
    'kv.v.setup.bcrypt_cost': 12,
    'kv.v.setup.allow_query_token': true,
    'kv.v.setup.cors_allowed_origins': ['https://a.example'],
  };

  test('of the system information has all of its keys, those of the settings where asked for', () => {
    for (const answer of [information, { ...information, ...setup }])
      expect(fits(info.response(), answer)).toBe(true);
    for (const name of Object.keys(information))
      expect(fits(info.response(), without(information, name)), name).toBe(false);
    for (const name of Object.keys({ ...information, ...setup }))
      expect(fits(info.response(), { ...information, ...setup, [name]: { a: 1 } }), name).toBe(false);
    expect(fits(info.response(), { ...information, 'kv.v.user.stamp': 'x' })).toBe(false);
  });

  test('of the system information has no token and a whole bcrypt cost', () => {
    expect(fits(info.response(), { ...information, 'kv.v.api.token': 'cst_' })).toBe(false);
    expect(fits(info.response(), { ...information, 'kv.v.setup.bcrypt_cost': 12.5 })).toBe(false);
  });
});

test('only the public keys may be kept, and a page of a preview can do nothing', () => {
  expect(jwks.headers).toEqual({
    'cache-control': 'public, max-age=300',
    'content-type': 'application/jwk-set+json',
  });
  for (const { headers } of [info, preview, uuid, uuids, ping])
    expect(headers['cache-control']).toBe('no-store');
  expect(preview.headers).toEqual({
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'; img-src http: https: data:",
    vary: 'Accept',
    'x-content-type-options': 'nosniff',
  });
  expect(preview.maxBodyBytes).toBe(1024 * 1024);
});
