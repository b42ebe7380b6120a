import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { MAX_ENDED } from '#lib/account/ended';
import { endUntil } from '#lib/account/sessions';
import type { Contract } from '#lib/contract/contract';
import { endpoint } from '#lib/handler/endpoint';
import type { Account } from '#lib/item/account';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { rotateToken } from '#lib/token/rotate';
import { call, OPEN, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { logInByToken, publishKey } from '../support/signing-keys.ts';

logLines();
const bench = await openEndpoints();
const { wire, stored } = bench;
const runtime = { ...bench.runtime, now: Date.now, publish: async () => [] };

const CREATING = {
  ...OPEN,
  access: 'authenticated',
  needs: ['transaction:ConditionCheckItem:ENDED'],
} as const satisfies Contract;
const create = (name: string) =>
  endpoint(CREATING, ({ caller, actor }, own) => createToken({ ...runtime, ...own }, caller, name, actor));
const namesOf = async ({ username }: Account) =>
  (await listTokens(runtime, await stored({ username }))).items.map(({ name }) => name);

/** Changes an account between the authentication of the next request and its write. */
const meanwhile = (owner: Account, change: (current: Account) => Promise<unknown>) =>
  wire.before(
    (operation, sent) => operation === 'TransactWriteItems' && !JSON.stringify(sent).includes('lastActivity'),
    async () => change(await stored(owner)),
  );

const key = await publishKey(bench.runtime.table);
const sessionOf = async (token: string) => {
  const { JWTtoken } = await logInByToken(runtime, key, token);
  return { authorization: `Bearer ${JWTtoken}` };
};
const KINDS: [string, (headers: Record<string, string>) => Promise<Record<string, string>>][] = [
  ['token', async (headers) => headers],
  ['session of a token', async ({ authorization = '' }) => sessionOf(authorization.replace('Token ', ''))],
];

const LIVE = { at: 0, until: 9_999_999_999 };
const ended = Object.fromEntries(Array.from({ length: MAX_ENDED }, (_, n) => [`${n}`, LIVE]));

/** How many sessions of the account have ended, and the answer to one that ends meanwhile. */
const ENDED: [string, Partial<Account>, string][] = [
  ['no others', { ended: {} }, 'unauthenticated'],
  ['as many as an account lists: repeated, it is refused', { ended }, 'unavailable'],
  ['more', { ended, ended_until: LIVE.until }, 'unauthenticated'],
];

test.each(KINDS.flatMap(([kind, of]) => ENDED.map((row) => [kind, ...row, of] as const)))(
  'a %s that is deleted after the authentication, after %s, creates none',
  async (kind, _others, attributes, code, of) => {
    const { account, headers } = await bench.caller();
    const own = await of(headers);
    await setAttributes(bench.table, account, attributes);
    expect((await call(create('before'), { headers: own })).status).toBe(200);
    meanwhile(account, (current) => deleteToken(runtime, current, 'test', by('admin')));
    const expected = kind === 'token' ? 'unauthenticated' : code;
    expect((await call(create('child'), { headers: own })).code).toBe(expected);
    expect((await call(create('child'), { headers: own })).code).toBe('unauthenticated');
    expect(await namesOf(account)).toEqual(['before']);
  },
);

test('a session that ends after the authentication creates no token', async () => {
  const { account } = await bench.caller();
  const token = await bench.session(account, key, Date.now());
  const { jti = '', exp = 0 } = decodeJwt(token);
  meanwhile(account, (current) => endUntil(runtime, current, jti, exp));
  const headers = { authorization: `Bearer ${token}` };
  expect((await call(create('child'), { headers })).code).toBe('unauthenticated');
  expect(await namesOf(account)).toEqual(['test']);
});

test('a session creates tokens until the overlap of its secret ends', async () => {
  const { account, headers } = await bench.caller();
  const own = await sessionOf((headers['authorization'] as string).replace('Token ', ''));
  await rotateToken(runtime, await stored(account), 'test', by('admin'), 60);
  expect((await call(create('child'), { headers: own })).status).toBe(200);
});

test('a token that stays creates another, and replaces itself', async () => {
  const { account, headers } = await bench.caller();
  expect((await call(create('child'), { headers })).status).toBe(200);
  const { value } = await createLoginToken(runtime, await stored(account), by(account.username));
  const renew = endpoint(CREATING, ({ caller, actor }, own) =>
    createLoginToken({ ...runtime, ...own }, caller, actor),
  );
  expect((await call(renew, { headers: { authorization: `Token ${value}` } })).status).toBe(200);
  expect(await namesOf(account)).toEqual(['child', 'logintoken', 'test']);
});
