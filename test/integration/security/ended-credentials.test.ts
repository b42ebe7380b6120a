import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { resetStamp } from '#lib/account/reset-stamp';
import { setPassword } from '#lib/password/set-password';
import { accountKey } from '#lib/table/keys';
import { put, remove, update } from '#lib/table/write';
import { inParallel } from '../../in-parallel.ts';
import { admin, createUser, get, logIn, noted, post, target, type User } from '../service.ts';
import { pingWith, REFUSED, SESSION_WAYS, TOKEN_WAYS } from './ways.ts';

const change =
  (verb: string) =>
  async ({ username }: User) => {
    const reply = await post(`/api/core/account/${verb}/${username}`, admin);
    if (reply.status !== 200) throw new Error(`${verb} answered ${reply.status}`);
  };
const inTurn =
  (...acts: ((user: User) => Promise<unknown>)[]) =>
  async (user: User) => {
    for (const act of acts) await act(user);
  };

interface Ending {
  /** What happens to the account. */
  readonly act: (user: User, session: string) => Promise<unknown>;
  /** Whether its API tokens live on; its sessions end, unless told. */
  readonly tokensLive?: true;
  readonly sessionsLive?: true;
}

/** Removes the account, as no endpoint does; another of the same name may follow. */
const removed = async ({ username }: User) => remove((await target()).runtime.table, accountKey(username));

const ENDINGS: Readonly<Record<string, Ending>> = {
  'nothing, so this is the control': { act: async () => {}, tokensLive: true, sessionsLive: true },
  'a lock (decision 13, ASVS 5 7.4.2)': { act: change('lock') },
  'a cancel (ASVS 5 7.4.2)': { act: change('cancel') },
  'a lock of a cancelled account': { act: inTurn(change('cancel'), change('lock')) },
  'a lock and an unlock': { act: inTurn(change('lock'), change('unlock')), tokensLive: true },
  'a cancel and a reactivation': { act: inTurn(change('cancel'), change('reactivate')), tokensLive: true },
  'an unlock of a cancelled account': { act: inTurn(change('cancel'), change('unlock')) },
  'a reactivation of a locked account': {
    act: inTurn(change('cancel'), change('lock'), change('reactivate')),
  },
  'a logout with the session (ASVS 5 7.4.1)': {
    act: (_, session) => get('/api/core/account/logout', { jwt: session }),
    tokensLive: true,
  },
  'a logout with an API token': {
    act: async (user) => get('/api/core/account/logout', { token: await user.token() }),
    tokensLive: true,
  },
  'a new password (ASVS 5 7.4.3)': {
    act: async ({ account }) => setPassword((await target()).runtime, account, noted('another-password')),
    tokensLive: true,
  },
  'a new stamp (ASVS 5 7.4.5)': {
    act: async ({ account }) => resetStamp((await target()).runtime, account),
    tokensLive: true,
  },
  'the removal of the account': { act: removed },
  'the removal of the account, and another of its name': {
    act: inTurn(removed, async ({ username }) => createAccount((await target()).runtime, { username })),
  },
  'another account of its name with the same stamp': {
    act: async ({ account }) => {
      const { table } = (await target()).runtime;
      await put(table, accountKey(account.username), { ...account, id: randomUUID() });
    },
  },
  'a temporary lockout, which stops the password only': {
    act: async ({ username }) => {
      const { table } = (await target()).runtime;
      await update(table, {
        Key: accountKey(username),
        UpdateExpression: 'SET lockoutend = :soon',
        ExpressionAttributeValues: {
          ':soon': new Date(Date.now() + 600_000).toISOString().replace('Z', '+00:00'),
        },
      });
    },
    tokensLive: true,
    sessionsLive: true,
  },
};

test.each(Object.entries(ENDINGS))(
  'API1:2023, API2:2023: every credential is decided anew after %s',
  async (_, { act, tokensLive, sessionsLive }) => {
    const user = await createUser();
    const token = await user.token();
    const session = await logIn('api', token);
    const presented = [
      ...Object.entries(SESSION_WAYS).map(([way, present]) => [way, present(session), sessionsLive] as const),
      ...Object.entries(TOKEN_WAYS).map(([way, present]) => [way, present(token), tokensLive] as const),
    ];
    const alive = `200 ${user.username}`;
    const answers = () => inParallel(presented, async ([way, request]) => [way, await pingWith(request)]);
    expect(await answers()).toEqual(presented.map(([way]) => [way, alive]));
    await act(user, session);
    expect(await answers()).toEqual(presented.map(([way, , lives]) => [way, lives ? alive : REFUSED]));
    // What it exchanges for a session is the token alone.
    const login = await post('/api/core/account/login', { json: { username: 'api', password: token } });
    expect(login.code ?? 'in').toBe(tokensLive ? 'in' : 'invalid_credentials');
  },
);
