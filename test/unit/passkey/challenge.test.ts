import { type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { newChallenge, openChallenge } from '#lib/passkey/challenge';
import { challengeSecretKey } from '#lib/table/keys';
import { tableSecret } from '#lib/table/secret';
import { NOON, openTestTable } from '../support/engine.ts';

const { runtime, table } = await openTestTable();
const secret = Buffer.from(await tableSecret(table, challengeSecretKey), 'base64url');

const CLAIMS = { jti: 'a', exp: NOON / 1000 + 300, purpose: 'assert' };
const HEADER = { alg: 'HS256', typ: 'challenge+jwt' };

/** A challenge that differs from a valid one in its claims, its header or its key only. */
const forged = async (claims: JWTPayload = {}, header: object = {}, key: Buffer = secret) =>
  new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ ...HEADER, ...header }).sign(key);
const open = async (token: string) =>
  openChallenge(runtime, 'assert', Buffer.from(token).toString('base64url'));

test('a challenge is opened for its purpose only, with its account', async () => {
  expect(await open(await forged())).toMatchObject(CLAIMS);
  const own = await newChallenge(runtime, 'assert', { id: 'ada' });
  expect(await open(own)).toMatchObject({ sub: 'ada', purpose: 'assert' });
  expect(await open(await newChallenge(runtime, 'create', { id: 'ada' }))).toBe('wrong_challenge');
});

test.each<[string, Parameters<typeof forged>]>([
  ['another secret', [{}, {}, Buffer.alloc(32)]],
  ['another type', [{}, { typ: 'at+jwt' }]],
  ['no type', [{}, { typ: undefined }]],
  ['another algorithm', [{}, { alg: 'HS512' }]],
  ['no ID', [{ jti: undefined }]],
  ['no end', [{ exp: undefined }]],
  ['no purpose', [{ purpose: undefined }]],
])('a challenge with %s is refused', async (_, parts) => {
  expect(await open(await forged(...parts))).toBe('wrong_challenge');
});

test('an instance that has made no challenge knows none, and reading makes no secret', async () => {
  const empty = await openTestTable();
  empty.wire.reset();
  const token = Buffer.from(await forged()).toString('base64url');
  expect(await openChallenge(empty.runtime, 'assert', token)).toBe('wrong_challenge');
  expect(empty.wire.commands.map(({ operation }) => operation)).toEqual(['GetItem']);
});

test.each(['', '.', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJqdGkiOiJhIn0.'])(
  'the text %j is no challenge',
  async (text) => {
    expect(await open(text)).toBe('wrong_challenge');
  },
);
