import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { setPassword } from '#lib/password/set-password';
import { accountKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { administrator, createUser, get, logIn, noted, post, target, type User } from '../service.ts';
import { outcomesOf, REFUSED, sessionWays, tokenWays } from './ways.ts';

const { account } = administrator;
const after =
  (...verbs: ('lock' | 'unlock' | 'cancel' | 'reactivate')[]) =>
  async ({ username }: User) => {
    for (const verb of verbs) await account[verb]({ username });
  };

const claimsOf = (jwt: string) => {
  const { jti = '', name } = decodeJwt<{ name: string }>(jwt);
  return { session_id: jti, username: name };
};

const rotate =
  (json: object) =>
  async ({ username }: User, _session: string, token: string) => {
    const { body } = await post(`/api/core/token/rotate/ci/${username}`, { token, json });
    expect(await outcomesOf(tokenWays(noted(body.data.value as string)))).toEqual([`200 ${username}`]);
  };
/** By the token itself, whose answer still arrives. */
const revokeAll = async ({ username }: User, _session: string, token: string) => {
  const { body } = await post(`/api/core/token/revoke/${username}`, { token });
  expect(body.data).toEqual({ username, revoked: 1 });
};

/** What happens to an account, and which of its credentials stay valid. */
type Ending = [
  string,
  (user: User, session: string, token: string) => Promise<unknown>,
  'all' | 'tokens' | 'none',
];

test.each<Ending>([
  ['nothing', async () => undefined, 'all'],
  ['a lock (ASVS 5 7.4.2)', after('lock'), 'none'],
  ['a lock and an unlock', after('lock', 'unlock'), 'tokens'],
  ['a cancel (ASVS 5 7.4.2)', after('cancel'), 'none'],
  ['a cancel and a reactivation', after('cancel', 'reactivate'), 'tokens'],
  ['an unlock of a cancelled account', after('cancel', 'unlock'), 'none'],
  ['a logout (ASVS 5 7.4.1)', (_, jwt) => get('/api/core/account/logout', { jwt }), 'tokens'],
  ['an end of that session', (_, jwt) => administrator.account.endSession(claimsOf(jwt)), 'tokens'],
  ['a revocation of that session', (_, token) => administrator.oauth.revoke({ token }), 'tokens'],
  ['a revocation of its token', (_, _jwt, token) => administrator.oauth.revoke({ token }), 'none'],
  ['a rotation of its token', rotate({}), 'none'],
  ['a rotation of its token with an overlap', rotate({ overlap_minutes: 1 }), 'all'],
  ['a deletion of all its tokens', revokeAll, 'none'],
  [
    'a new password (ASVS 5 7.4.3)',
    async ({ account }) => setPassword((await target()).runtime, account, noted('another-password')),
    'tokens',
  ],
  [
    'another account with its name and stamp',
    async ({ account }) => {
      const { table } = (await target()).runtime;
      await put(table, accountKey(account.username), { ...account, id: randomUUID() });
    },
    'none',
  ],
])('credentials are decided at the next request after %s', async (_name, act, valid) => {
  const user = await createUser();
  const token = await user.token('ci');
  const session = await logIn('api', token);
  const outcomes = async () => [await outcomesOf(sessionWays(session)), await outcomesOf(tokenWays(token))];
  const accepted = [`200 ${user.username}`];
  expect(await outcomes()).toEqual([accepted, accepted]);
  await act(user, session, token);
  expect(await outcomes()).toEqual([
    valid === 'all' ? accepted : [REFUSED],
    valid === 'none' ? [REFUSED] : accepted,
  ]);
  const login = await post('/api/core/account/login', { json: { username: 'api', password: token } });
  expect(login.code).toBe(valid === 'none' ? 'invalid_credentials' : undefined);
});
