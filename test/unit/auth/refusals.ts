import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { endUntil } from '#lib/account/sessions';
import { endGeneration } from '#lib/account/tokens/revocation';
import type { GatewayResult } from '#lib/contract/gateway-event';
import { CAUSES, type Cause } from '#lib/failure/cause';
import type { Account } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { removePasskey } from '#lib/passkey/delete';
import { setPassword } from '#lib/password/set-password';
import { AMR } from '#lib/session/session-token';
import { assign } from '#lib/table/expressions';
import { accountKey, publicKeyItemKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove, update } from '#lib/table/write';
import { deleteToken } from '#lib/token/delete';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { type Changes, claimsAt, ecdsa, forgeOf, newPair } from '../session/forge.ts';
import { invocation } from '../support/endpoints.ts';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { lockUntil, setAttributes } from '../support/set-attributes.ts';
import { logInByToken, publishKey } from '../support/signing-keys.ts';
import { blockArrangementsOn } from './block-refusals.ts';
import type { Bench, Functions, Key } from './functions.ts';
import { passkeyArrangementsOn } from './passkey-refusals.ts';

const PASSWORD = 'correct horse';
const ADMIN = by('admin');

type Sent = Parameters<typeof gatewayEvent>[0];
/** The function and the request that it refuses. */
type Refused = readonly [keyof Functions, Sent];
type Arrangement = (functions: Functions) => Promise<Refused> | Refused;

export type Arrangements = Readonly<Record<Cause, Readonly<Record<string, Arrangement>>>>;

export const ask = (functions: Functions, [name, sent]: Refused): Promise<GatewayResult> =>
  functions[name](gatewayEvent({ method: 'POST', ...sent }), invocation());

const authorized = (authorization: string): Refused => ['create', { headers: { authorization } }];
const cookies = (...values: string[]): Refused => [
  'create',
  { cookies: values.map((value) => `ptoken=${value}`) },
];
const json = (name: 'login' | 'password', body: object, headers = {}): Refused => [
  name,
  { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
];
const logsIn = ({ username }: { username: string }, password = PASSWORD) =>
  json('login', { username, password });
const replaces = (of: Account, code: string) =>
  json('password', { username: of.username, code, new_password: 'battery staple' });

/** A request, or several, that each cause refuses. */
export function arrangementsOn(bench: Bench, key: Key): Arrangements {
  const others: Partial<Arrangements> = { ...passkeyArrangementsOn(bench), ...blockArrangementsOn(bench) };
  const own: Partial<Arrangements> = ownArrangementsOn(bench, key);
  const all = CAUSES.map((cause) => [cause, { ...own[cause], ...others[cause] }] as const);
  return Object.fromEntries(all) as unknown as Arrangements;
}

function ownArrangementsOn(
  { table, wire, runtime, account, caller }: Bench,
  key: Key,
): Partial<Arrangements> {
  /** Hashes of the cost in the settings of the functions are not outdated. */
  const costly = { ...runtime, settings: { ...runtime.settings, BcryptCost: 10 } };
  /** A session of an account that differs from a valid one in the changes only. */
  const sessionOf = (
    { id: sub, username: name, stamp: sst }: Account,
    changes: Changes = {},
    signer = key,
  ) => {
    const claims = { ...claimsAt(NOON / 1000, 'test'), sub, name, sst };
    return `Bearer ${forgeOf({ alg: 'ES256', kid: signer.kid, typ: 'at+jwt' }, claims, signer.key)(changes)}`;
  };
  const forged = async (changes: Changes) => authorized(sessionOf(await account(), changes));
  const ended = async (end: (of: Account) => Promise<unknown>) => {
    const of = await account();
    await end(of);
    return authorized(sessionOf(of));
  };

  /** A token of an account, with attributes of its item. */
  const tokenWith = async (attributes: CredentialLimits) => {
    const { token, headers } = await caller();
    await update(table, { Key: tokenKey(hashApiToken(token)), ...assign({ ...attributes }, {}) });
    return authorized(headers.authorization);
  };
  const owned = async (change: (owner: Account) => Promise<unknown>): Promise<Refused> => {
    const { account: owner, headers } = await caller();
    await change(owner);
    return ['create', { headers }];
  };
  /** A request whose account changes after the authentication, before its write. */
  const meanwhile = (change: (of: Account) => Promise<unknown>, of: Account) =>
    wire.before(
      (operation, sent) =>
        operation === 'TransactWriteItems' && !JSON.stringify(sent).includes('lastActivity'),
      () => change(of),
    );
  const guarded = async (change: (of: Account) => Promise<unknown>) => {
    const { account: of, headers } = await caller();
    meanwhile(change, of);
    return ['create', { headers }] as const;
  };
  const sessionGuarded = async (change: (of: Account) => Promise<unknown>) => {
    const of = await account();
    meanwhile(change, of);
    return authorized(sessionOf(of));
  };
  /** A login by an API token. */
  const byToken = async (change: (token: string) => unknown) => {
    const { token } = await caller();
    return logsIn({ username: 'api' }, String((await change(token)) ?? token));
  };
  /** A new password with the current one, during which the account changes. */
  const replaced = async (change: (of: Account) => Promise<unknown>) => {
    const { account: of, headers } = await caller();
    await setPassword(costly, of, PASSWORD);
    meanwhile(change, of);
    return json('password', { current_password: PASSWORD, new_password: 'battery staple' }, headers);
  };

  const mistyped = (token: string) => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  const endSession = (of: Account) => endUntil(runtime, of, 'jti-1', NOON / 1000 + 3600);
  const cancel = (of: Account) => cancelAccount(runtime, of, ADMIN);
  const revoke = async ({ username }: Account) =>
    endGeneration(runtime, (await get(table, accountKey(username))) as Account, ADMIN);
  const lock = (of: Account) => lockAccount(runtime, of, ADMIN);
  const forget = (of: Account) => remove(table, accountKey(of.username));
  const restamp = (of: Account) => setAttributes(table, of, { stamp: 'another' });
  const codeFor = async (of: Account, at = NOON) =>
    (await createCode({ ...runtime, now: () => at }, of, ADMIN, {}, { hours: 1 })).code;

  return {
    no_credential: {
      'a request': () => ['create', {}],
      'a new password': () =>
        json('password', { current_password: '"code":', new_password: 'battery staple' }),
    },
    query_token_disabled: { 'a query': () => ['create', { rawQueryString: 'ptoken=x' }] },
    cookie_repeated: { 'a cookie': () => cookies('a.b.c', 'a.b.c') },
    unknown_scheme: { 'a header': () => authorized('Digest x') },
    malformed_credential: {
      'a header': () => authorized('Bearer'),
      'a session': () => authorized('Bearer x'),
      'an API token': () => authorized('Token x'),
      'a pair': () => authorized(`Basic ${Buffer.from('eve:x').toString('base64')}`),
      'a login': () => logsIn({ username: 'api' }, 'x'),
    },
    bad_checksum: {
      'an API token': async () => authorized(`Token ${mistyped((await caller()).token)}`),
      'a login': () => byToken(mistyped),
    },
    malformed_session: {
      'a session without an end': () => forged({ claims: { exp: undefined } }),
      'a session without a name': () => forged({ claims: { name: 1 } }),
      'a session with an impossible name': () => forged({ claims: { name: 'no name' } }),
    },
    bad_signature: {
      'a session': () => forged({ sign: ecdsa(newPair().privateKey) }),
      'a session with another text of its signature': async () => {
        const token = sessionOf(await account());
        return authorized(token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1));
      },
    },
    unknown_key: { 'a session': () => forged({ header: { kid: 'another' } }) },
    key_revoked: {
      'a session': async (functions) => {
        const revoked = await publishKey(table);
        const request = authorized(sessionOf(await account(), {}, revoked));
        vi.setSystemTime(NOON - 60_000);
        await ask(functions, [
          'create',
          {
            headers: {
              authorization: sessionOf(
                await account(),
                {
                  claims: { iat: NOON / 1000 - 60, nbf: NOON / 1000 - 60 },
                },
                revoked,
              ),
            },
          },
        ]);
        await remove(table, publicKeyItemKey(revoked.kid));
        return request;
      },
    },
    wrong_issuer: { 'a session': () => forged({ claims: { iss: 'urn:core-account:another' } }) },
    wrong_audience: { 'a session': () => forged({ claims: { aud: 'urn:core-account:another' } }) },
    wrong_type: { 'a session': () => forged({ header: { typ: 'JWT' } }) },
    session_not_begun: { 'a session': () => forged({ claims: { nbf: NOON / 1000 + 60 } }) },
    session_expired: { 'a session': () => forged({ claims: { exp: NOON / 1000 - 60 } }) },
    session_ended: {
      'a session': () => ended(endSession),
      'a write of a session': () => sessionGuarded(endSession),
    },
    secret_ended: {
      'a session': async () => {
        const { account: of, token } = await caller();
        const { JWTtoken } = await logInByToken(runtime, key, token);
        await deleteToken(runtime, of, 'test', ADMIN);
        return authorized(`Bearer ${JWTtoken}`);
      },
    },
    stamp_changed: {
      'a session': () => ended(restamp),
      'a write of a session': () => sessionGuarded(restamp),
    },
    passkey_removed: {
      'a session': () => forged({ claims: { amr: AMR.passkey, auth_time: NOON / 1000, pid: 'removed' } }),
      'a write of a session': async () => {
        const of = await account({ passkeys: { phone: 'id' } });
        meanwhile((it) => removePasskey(runtime, it, 'phone', ADMIN), of);
        return authorized(sessionOf(of, { claims: { amr: AMR.passkey, pid: 'id' } }));
      },
    },
    trust_removed: {
      'a session': () => forged({ claims: { amr: AMR.trust, fid: 'removed' } }),
      'a write of a session': async () => {
        const of = await account({ trusts: { deploy: 'id' } });
        meanwhile((it) => setAttributes(table, it, { trusts: undefined, transitions: 9 }), of);
        return authorized(sessionOf(of, { claims: { amr: AMR.trust, fid: 'id' } }));
      },
    },
    unknown_token: {
      'an API token': () => authorized(`Token ${generateApiToken(randomBytes)}`),
      'a login': () => byToken(() => generateApiToken(randomBytes)),
    },
    token_expired: { 'an API token': () => tokenWith({ expires_at: NOON }) },
    wrong_address: { 'an API token': () => tokenWith({ addresses: ['203.0.113.0/24'] }) },
    token_deleted: {
      'a write of an API token': () => guarded((of) => deleteToken(runtime, of, 'test', ADMIN)),
      'a login': () =>
        byToken((token) => {
          const noted = (_operation: string, sent: object) => JSON.stringify(sent).includes('session_until');
          wire.before(noted, () => remove(table, tokenKey(hashApiToken(token))));
        }),
    },
    token_revoked: {
      'an API token': () => owned(revoke),
      'a session': async () => {
        const { account: of, token } = await caller();
        const { JWTtoken } = await logInByToken(runtime, key, token);
        await revoke(of);
        return authorized(`Bearer ${JWTtoken}`);
      },
      'a write of an API token': () => guarded(revoke),
      'a write of a session': async () => {
        const { account: of, token } = await caller();
        const { JWTtoken } = await logInByToken(runtime, key, token);
        meanwhile(revoke, of);
        return authorized(`Bearer ${JWTtoken}`);
      },
      'a login': async () => {
        const { account: of, token } = await caller();
        await revoke(of);
        return logsIn({ username: 'api' }, token);
      },
    },
    account_unknown: {
      'an API token': () => owned(forget),
      'a session': () => ended(forget),
      'a write': () => guarded(forget),
      'a login': () => logsIn({ username: 'nobody' }),
    },
    account_cancelled: {
      'an API token': () => owned(cancel),
      'a session': () => ended(cancel),
      'a write': () => guarded(cancel),
      'a login': async () => logsIn(await account({ password: PASSWORD, isactive: false })),
      'a new password': () => replaced(cancel),
    },
    account_locked: {
      'an API token': () => owned(lock),
      'a session': () => ended(lock),
      'a write': () => guarded(lock),
      'a write of a session': () => sessionGuarded(lock),
      'a new password': () => replaced(lock),
    },
    locked_out: {
      'a login': async () =>
        logsIn(await lockUntil(table, await account({ password: PASSWORD }), NOON + 3_600_000)),
    },
    no_password: { 'a login': async () => logsIn(await account()) },
    wrong_password: { 'a login': async () => logsIn(await account({ password: PASSWORD }), 'wrong') },
    password_changed: {
      'a new password': () => replaced((of) => setPassword(runtime, of, 'another password')),
    },
    no_code: { 'a new password': async () => replaces(await account(), '0000-0000-0000') },
    wrong_code: {
      'a new password': async () => {
        const of = await account();
        await codeFor(of);
        return replaces(of, '0000-0000-0000');
      },
    },
    code_expired: {
      'a new password': async () => {
        const of = await account();
        return replaces(of, await codeFor(of, NOON - 3_600_000));
      },
    },
    code_ended: {
      'a new password': async () => {
        const of = await account();
        const code = await codeFor(of);
        await restamp(of);
        return replaces(of, code);
      },
    },
    code_changed: {
      'a new password': async () => {
        const of = await account();
        const code = await codeFor(of);
        meanwhile(codeFor, of);
        return replaces(of, code);
      },
    },
  };
}
