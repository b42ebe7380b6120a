import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { parse } from '#lib/input/parse';
import { contract as info } from '#lib/system/info.contract';
import { contract as jwks } from '#lib/system/jwks.contract';
import { contract as ping } from '#lib/system/ping.contract';
import { contract as preview } from '#lib/system/preview.contract';
import { contract as uuid } from '#lib/system/uuid.contract';
import { contract as uuids } from '#lib/system/uuids.contract';
import { errorsOf } from '../support/errors-of.ts';

test.each([{ painput: '' }, { painput: '# a', patype: 'markdown' }])(
  'the body of a preview accepts %j',
  (body) => {
    expect(parse(preview.body(), body)).toEqual(body);
  },
);

test.each<[object, string, string]>([
  [{}, 'painput', 'Is required'],
  [{ painput: 1 }, 'painput', 'Must be a text'],
  [{ painput: 'a', patype: 'html' }, 'patype', 'Must be markdown'],
])('the body of a preview rejects %j', (body, field, message) => {
  expect(errorsOf(preview.body(), body)).toEqual([{ field, message }]);
});

test.each(['0', '1', '00010', '10000'])('the number of UUIDs may be %s', (n) => {
  expect(parse(uuids.query(), { n })).toEqual({ n: Number(n) });
});

test.each([undefined, '', '10001', '99999', '-1', '1.0', '1e3', 'x1', '1x', '000001'])(
  'the number of UUIDs may not be %j',
  (n) => {
    const message = 'Must be a whole number from 0 to 10000';
    expect(errorsOf(uuids.query(), { n })).toEqual([{ field: 'n', message }]);
  },
);

const UUID = 'c2ff3d1f-e3b1-7dad-8361-017f22e279b0';
const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k', alg: 'ES256', use: 'sig' };
const RESPONSES: Record<string, [schema: z.ZodMiniType, valid: unknown[], invalid: unknown[]]> = {
  preview: [preview.response(), ['<p>', { html: '<p>' }], [1, {}, { html: 1 }, { html: '', more: 1 }]],
  uuid: [uuid.response(), [UUID], ['x', [UUID], 1]],
  uuids: [uuids.response(), [[], [UUID, UUID]], [UUID, ['x']]],
  jwks: [
    jwks.response(),
    [{ keys: [key] }, { keys: [] }],
    Object.entries({ kty: 'RSA', crv: 'P-384', alg: 'none', use: 'enc', kid: undefined, d: 'secret' }).map(
      ([name, value]) => ({ keys: [{ ...key, [name]: value }] }),
    ),
  ],
};

test.each(Object.entries(RESPONSES))('the response of %s has the documented shape only', (_name, shape) => {
  const [schema, valid, invalid] = shape;
  const fits = (response: unknown) => schema.safeParse(response).success;
  expect(valid.filter((response) => !fits(response))).toEqual([]);
  expect(invalid.filter(fits)).toEqual([]);
});

test('only the public keys are cacheable', () => {
  expect(jwks.headers).toEqual({
    'cache-control': 'public, max-age=300',
    'content-type': 'application/jwk-set+json',
  });
  for (const { headers } of [info, preview, uuid, uuids, ping])
    expect(headers['cache-control']).toBe('no-store');
});

test('a preview page is sandboxed, and its text has at most 1 MiB', () => {
  expect(preview.headers).toEqual({
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'; img-src http: https: data:",
    vary: 'Accept',
    'x-content-type-options': 'nosniff',
  });
  expect(preview.maxBodyBytes).toBe(1024 * 1024);
});

test('info is deprecated since 2026 (RFC 9745) and names its successor (RFC 8288)', () => {
  const { deprecation, link } = info.headers;
  const since = Number(/^@(\d+)$/.exec(deprecation)?.[1]);
  expect(new Date(since * 1000).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  expect(link).toBe('</api/core/account/profile>; rel="successor-version"');
});
