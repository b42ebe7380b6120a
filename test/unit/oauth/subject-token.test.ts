import { describe, expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { endSession } from '#lib/account/sessions';
import type { Account } from '#lib/item/account';
import { changePassword } from '#lib/login/change-password';
import { logIn } from '#lib/login/login';
import { logOut } from '#lib/login/logout';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { removePasskey } from '#lib/passkey/delete';
import { CHECK_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { signSession } from '#lib/session/session-token';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { revokeAllTokens } from '#lib/token/revoke';
import { rotateToken } from '#lib/token/rotate';
import { generateApiToken } from '#lib/token/secret';
import { deleteTrust } from '#lib/trust/delete';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { ONE_PASSKEY } from '../support/items.ts';
import { publishKey } from '../support/signing-keys.ts';
import { AUDIENCE, openOAuth, TRUST } from './bench.ts';

const ORDERS = 'https://orders.example.com';
const PASSWORD = 'the former password';
const bench = await openOAuth([], { Resources: JSON.stringify([{ audience: ORDERS }]) });
const { table, clock, runtime, granting, key, machine, tokenOf } = bench;
const admin = by('admin');

const exchange = (subject_token: string, more: Readonly<Record<string, string>> = {}) =>
  bench.ask({
    grant_type: GRANT_TYPES.exchange,
    subject_token,
    subject_token_type: TOKEN_TYPES.access,
    resource: ORDERS,
    ...more,
  });
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    ({ error, cause }) => `${error}: ${cause}`,
  );

/** A credential and its account, as an attacker or a page may hold it. */
interface Held {
  readonly account: Account;
  readonly text: string;
}
const byPassword = async (): Promise<Held> => {
  const account = await bench.account({ password: PASSWORD });
  const login = { username: account.username, password: PASSWORD };
  return { account, text: (await logIn(granting, login, gatewayEvent())).data.JWTtoken };
};
const token = async (): Promise<Held> => {
  const account = await bench.account();
  const { value } = await createToken(runtime, account, 'ci', admin);
  return { account, text: value as string };
};
const byToken = async (): Promise<Held> => {
  const { account, text } = await token();
  const login = { username: 'api', password: text };
  return { account, text: (await logIn(granting, login, gatewayEvent())).data.JWTtoken };
};
const byTrust = async (): Promise<Held> => {
  const { account, name } = await machine();
  return { account, text: (await bench.exchange(name, await tokenOf())).data.access_token };
};
const byPasskey = async (): Promise<Held> => {
  const account = await bench.account({ ...ONE_PASSKEY });
  const { id: sub, username: name, stamp: sst } = account;
  const session = { sub, name, sst, pid: 'key-1', auth_time: NOON / 1000 };
  return { account, text: await signSession(runtime, key, session, NOON / 1000, 3600) };
};
const idOf = (text: string) =>
  JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()).jti as string;

describe('a credential gets nothing at the next request after', () => {
  test.each<[string, () => Promise<Held>, (held: Held) => Promise<unknown>, string]>([
    [
      'a logout',
      byPassword,
      async ({ account }) => logOut(runtime, await bench.stored(account), gatewayEvent(), {}),
      'stamp_changed',
    ],
    [
      'the end of its session',
      byPassword,
      async ({ account, text }) => endSession(runtime, await bench.stored(account), idOf(text)),
      'session_ended',
    ],
    [
      'a change of the password',
      byPassword,
      async ({ account }) => {
        const request = { current_password: PASSWORD, new_password: 'a newer password of the account' };
        await changePassword(granting, await bench.stored(account), {}, request, gatewayEvent());
      },
      'stamp_changed',
    ],
    [
      'a lock',
      byPassword,
      async ({ account }) => lockAccount(runtime, await bench.stored(account), admin),
      'account_locked',
    ],
    [
      'a cancellation',
      byPassword,
      async ({ account }) => cancelAccount(runtime, await bench.stored(account), admin),
      'account_cancelled',
    ],
    [
      'a lock of the owner of its token',
      token,
      async ({ account }) => lockAccount(runtime, await bench.stored(account), admin),
      'account_locked',
    ],
    [
      'the deletion of its token',
      token,
      async ({ account }) => deleteToken(runtime, await bench.stored(account), 'ci', admin),
      'unknown_token',
    ],
    [
      'a rotation of its token',
      token,
      async ({ account }) => rotateToken(runtime, await bench.stored(account), 'ci', admin, 0),
      'unknown_token',
    ],
    [
      'the end of all tokens of its owner',
      token,
      async ({ account }) => revokeAllTokens(runtime, await bench.stored(account), admin),
      'unknown_token',
    ],
    [
      'the deletion of the token that has opened its session',
      byToken,
      async ({ account }) => deleteToken(runtime, await bench.stored(account), 'ci', admin),
      'secret_ended',
    ],
    [
      'a rotation of the token that has opened its session',
      byToken,
      async ({ account }) => rotateToken(runtime, await bench.stored(account), 'ci', admin, 0),
      'secret_ended',
    ],
    [
      'the end of all tokens, one of which has opened its session',
      byToken,
      async ({ account }) => revokeAllTokens(runtime, await bench.stored(account), admin),
      'token_revoked',
    ],
    [
      'the deletion of its trust',
      byTrust,
      async ({ account }) => deleteTrust(runtime, await bench.stored(account), TRUST, admin),
      'trust_removed',
    ],
    [
      'the removal of its passkey',
      byPasskey,
      async ({ account }) => removePasskey(runtime, await bench.stored(account), 'laptop', admin),
      'passkey_removed',
    ],
  ])('%s', async (_, open, end, cause) => {
    const held = await open();
    // Also an account that the function has just read is read again.
    expect(await refusalOf(exchange(held.text))).toBe('none');
    await end(held);
    for (const resource of [ORDERS, AUDIENCE])
      expect(await refusalOf(exchange(held.text, { resource }))).toBe(`invalid_request: ${cause}`);
  });

  test('the revocation of the key that has signed its session, within the seconds of a cache', async () => {
    const other = await publishKey(table);
    const { id: sub, username: name, stamp: sst } = await bench.account();
    const session = await signSession(runtime, other, { sub, name, sst }, NOON / 1000, 3600);
    expect(await refusalOf(exchange(session))).toBe('none');
    await revokeKey(table, other.kid, clock());
    clock.time += CHECK_MS;
    expect(await refusalOf(exchange(session))).toBe('invalid_request: key_revoked');
  });
});

describe('a subject token is refused, by the same answer, that', () => {
  const resourceToken = async () => (await exchange((await byPassword()).text)).data.access_token;

  test.each<[string, () => Promise<string> | string, string]>([
    ['is a text', () => 'correct horse', 'malformed_credential'],
    ['is an unknown token', () => generateApiToken((bytes) => new Uint8Array(bytes)), 'unknown_token'],
    ['is a token of another user', async () => `ada:${(await token()).text}`, 'malformed_credential'],
    ['is a token for another service', resourceToken, 'malformed_session'],
    ['is a token of a platform', () => tokenOf(), 'malformed_session'],
  ])('%s', async (_, make, cause) => {
    const text = await make();
    for (const resource of [ORDERS, AUDIENCE])
      expect(await refusalOf(exchange(text, { resource }))).toBe(`invalid_request: ${cause}`);
  });

  test('is a session or an API token under the type of a token of a platform', async () => {
    for (const held of [await byPassword(), await token()])
      for (const subject_token_type of [TOKEN_TYPES.jwt, TOKEN_TYPES.id]) {
        const asked = { subject_token_type, audience: `${TRUST}@${held.account.username}` };
        expect(await refusalOf(exchange(held.text, asked))).toMatch(/^invalid_grant: /);
      }
  });

  test.each([
    ['has no value', { subject_token: '' }],
    ['has another type', { subject_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
    ['is for a token of another type', { requested_token_type: TOKEN_TYPES.id }],
    ['comes with an actor', { actor_token: 'x' }],
  ])('%s', async (_, more) => {
    const { text } = await byPassword();
    expect(await refusalOf(exchange(text, more))).toBe('invalid_request: undefined');
  });
});

test('an API token is exchanged with and without its user', async () => {
  const { text } = await token();
  expect(await refusalOf(exchange(`api:${text}`))).toBe('none');
  expect(await refusalOf(exchange(text))).toBe('none');
});
