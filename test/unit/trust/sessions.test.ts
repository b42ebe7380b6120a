import { expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { endSession, listSessions } from '#lib/account/sessions';
import { authenticator } from '#lib/auth/authenticate';
import { authorization } from '#lib/http/authorization';
import type { Account } from '#lib/item/account';
import { inspect } from '#lib/oauth/inspect';
import { revokeCredential } from '#lib/oauth/revoke';
import { contracts } from '#lib/routes';
import { assign } from '#lib/table/expressions';
import { sessionKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { revokeAllTokens } from '#lib/token/revoke';
import { createTrust } from '#lib/trust/create';
import { deleteTrust } from '#lib/trust/delete';
import { issuersIn } from '#lib/trust/issuers';
import { openOAuth, TRUST } from '../oauth/bench.ts';
import { codeOf } from '../support/code-of.ts';
import { by } from '../support/engine.ts';
import { authenticatedAs, requestContext, step } from '../support/request-context.ts';

const { table, runtime, clock, machine, tokenOf, exchange, stored } = await openOAuth();

const admin = by('admin');
const authenticate = authenticator(runtime, 0);
const sessionOf = async (name: string) => {
  const { data } = await exchange(name, await tokenOf());
  return { kind: 'jwt', value: data.access_token, address: undefined } as const;
};
const idsOf = async (of: Account) =>
  (await listSessions(runtime, await stored(of))).items.map(({ id }) => id);
const remove = async (of: Account) => deleteTrust(runtime, await stored(of), TRUST, admin);

test('a session of a trust is listed by the name of its trust, and is inspected as one of a federated token', async () => {
  const { account, name } = await machine();
  const session = await sessionOf(name);
  const { items } = await listSessions(runtime, await stored(account));
  expect(items).toEqual([expect.objectContaining({ credential: `trust:${TRUST}` })]);
  expect(await inspect(authenticate, session.value)).toMatchObject({ active: true, amr: ['fed'] });
});

test('a deleted trust ends its sessions, and a new one with its name revives none', async () => {
  const { account, name } = await machine();
  const session = await sessionOf(name);
  await remove(account);
  await expect(authenticate(session)).rejects.toMatchObject({ cause: 'trust_removed' });
  expect(await idsOf(account)).toEqual([]);
  const issuers = issuersIn('[{"name":"ci","issuer":"https://issuer.example.com"}]');
  const requested = { issuers, issuer: 'ci', subject: 'job:main' };
  await createTrust(runtime, await stored(account), TRUST, admin, requested);
  await expect(authenticate(session)).rejects.toMatchObject({ cause: 'trust_removed' });
  expect(await idsOf(account)).toEqual([]);
  const next = await sessionOf(name);
  await authenticate(next);
  expect(await idsOf(account)).toHaveLength(1);
});

test('the end of all tokens of a machine ends the sessions of its trusts, and later ones work', async () => {
  const { account, name } = await machine();
  const session = await sessionOf(name);
  await revokeAllTokens(runtime, await stored(account), admin);
  await expect(authenticate(session)).rejects.toMatchObject({ cause: 'token_revoked' });
  expect(await idsOf(account)).toEqual([]);
  await authenticate(await sessionOf(name));
  expect(await idsOf(account)).toHaveLength(1);
});

test('the end of one session of a trust ends no other', async () => {
  const { account, name } = await machine();
  const [one, other, third] = [await sessionOf(name), await sessionOf(name), await sessionOf(name)];
  const { session } = await authenticate(one);
  await endSession(runtime, await stored(account), `${session?.jti}`);
  await expect(authenticate(one)).rejects.toMatchObject({ cause: 'session_ended' });
  const limits = (await authenticate(other)).limits;
  await revokeCredential(runtime, authenticate, other.value, by(account.username), {
    value: other.value,
    limits,
  });
  await expect(authenticate(other)).rejects.toMatchObject({ cause: 'session_ended' });
  await authenticate(third);
});

test('a narrow session of a trust ends no wider one of its machine', async () => {
  const { account, name } = await machine({ trust_roles: ['reads'] });
  const narrow = await authenticate(await sessionOf(name));
  const other = await exchange(name, await tokenOf(), { scope: 'reads' });
  const { session } = await authenticate({ kind: 'jwt', value: other.data.access_token, address: undefined });
  const own = { limits: { ...narrow.limits, roles: [] }, secret: undefined };
  const target = await stored(account);
  await expect(endSession(runtime, target, `${session?.jti}`, own)).rejects.toMatchObject({
    code: 'forbidden',
  });
  await endSession(runtime, target, `${session?.jti}`, { limits: narrow.limits });
});

test('a session of a trust stays ended when its machine is reactivated', async () => {
  const { account, name } = await machine();
  const session = await sessionOf(name);
  await cancelAccount(runtime, await stored(account), admin);
  await expect(authenticate(session)).rejects.toMatchObject({ code: 'unauthenticated' });
  await reactivateAccount(runtime, await stored(account), admin);
  await expect(authenticate(session)).rejects.toMatchObject({ cause: 'stamp_changed' });
});

test('a session of a trust ends after its minutes', async () => {
  const { name } = await machine({ max_minutes: 1 });
  const session = await sessionOf(name);
  await authenticate(session);
  // The clocks of several functions may differ by some seconds.
  clock.time += 70_000;
  await expect(authenticate(session)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a write in flight of a session of a trust fails when the trust is deleted, or the tokens end', async () => {
  const contract = contracts.find(({ id }) => id === 'account.end-session');
  if (!contract) throw new Error('Unknown contract');
  for (const end of [remove, async (of: Account) => revokeAllTokens(runtime, await stored(of), admin)]) {
    const { account, name } = await machine();
    const authenticated = { ...(await authenticate(await sessionOf(name))), authenticate };
    const guarding = {
      ...contract,
      needs: [...contract.needs, 'transaction:ConditionCheckItem:ENDED'],
    } as const;
    const context = requestContext({}, { authenticated });
    step(authorization(guarding, clock), 'before', context);
    const { guard } = context;
    await end(account);
    const write = { Key: sessionKey(account.username, 'x'), ...assign({ ttl: 1 }, {}) };
    const guarded = guard ? { ...table, guard } : table;
    await expect(update(guarded, write)).rejects.toMatchObject({ code: 'unauthenticated' });
  }
});

/** Endpoints that create a credential, or give one a new secret. */
const MAKING =
  'account.code account.create token.create token.create-login-token token.create-own token.rotate trust.create';

test('a session of a trust makes no credential', () => {
  const authenticated = authenticatedAs('bot', {}, { roles: ['sys_administrator', 'sys_tokens'] });
  const refused = (fid: string | undefined) =>
    contracts
      .filter((contract) => {
        const session = { fid, jti: 'x' } as never;
        const input = { params: {}, query: {}, headers: {}, body: { username: 'bot' } };
        const event = { pathParameters: { username: 'bot' } };
        const context = requestContext(event, { authenticated: { ...authenticated, session }, input });
        return codeOf(() => step(authorization(contract, clock), 'before', context)) === 'forbidden';
      })
      .map(({ id }) => id);
  const others = refused(undefined);
  expect(
    refused('trust-1')
      .filter((id) => !others.includes(id))
      .sort(),
  ).toEqual([...MAKING.split(' '), 'account.passkey-create', 'account.passkey-delete'].sort());
});
