import { expect, test } from 'vitest';
import { listSessions } from '#lib/account/sessions';
import type { Account } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { endRequested } from '#lib/login/end-session';
import { NOON, openTestTable } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { storedSession, uuidOf } from '../support/items.ts';

const { table, runtime, account, stored } = await openTestTable();

const [OWN, OTHER] = [uuidOf(1), uuidOf(2)];

/** A session token as a cookie has it. */
const cookieWith = (jti: string) =>
  `ptoken=e30.${Buffer.from(JSON.stringify({ jti })).toString('base64url')}.x`;

/** An account with two sessions. */
async function withSessions(limits?: CredentialLimits) {
  const owner = await account();
  for (const id of [OWN, OTHER])
    await storedSession(table, owner, { id, ttl: NOON / 1000 + 3600, ...(limits && { limits }) });
  return owner;
}
const idsOf = async (of: Account) =>
  (await listSessions(runtime, await stored(of))).items.map(({ id }) => id).sort();

const requesting = (limits: CredentialLimits = {}, cookies: string[] = []) => ({
  event: gatewayEvent({ method: 'POST', cookies, headers: { 'x-forwarded-proto': 'https' } }),
  session: { jti: OWN },
  limits,
});

test('endRequested removes the cookie with the ended session, and no other', async () => {
  const owner = await withSessions();
  const own = requesting({}, [cookieWith(OWN)]);
  const other = await endRequested(runtime, owner, OTHER, own);
  expect([other.data, other.cookies]).toEqual([{ username: owner.username, id: OTHER }, []]);
  const answer = await endRequested(runtime, await stored(owner), OWN, own);
  expect(answer.cookies).toEqual([expect.stringMatching(/^ptoken=; Path=\/; .*Max-Age=0$/)]);
  expect(await idsOf(owner)).toEqual([]);
});

test('endRequested removes no cookie when the request has none', async () => {
  const { cookies } = await endRequested(runtime, await withSessions(), OWN, requesting());
  expect(cookies).toEqual([]);
});

test.each<[string, CredentialLimits]>([
  ['may only read', { access: 'read' }],
  ['has no roles', { roles: [] }],
])('endRequested ends the own session, and no wider one, when it %s', async (_what, limits) => {
  const owner = await withSessions();
  const forbidden = { code: 'forbidden' };
  await expect(endRequested(runtime, owner, OTHER, requesting(limits))).rejects.toMatchObject(forbidden);
  await endRequested(runtime, owner, OWN, requesting(limits));
  expect(await idsOf(owner)).toEqual([OTHER]);
});

test('endRequested refuses another session that may only read when the credential may only read', async () => {
  const limits = { access: 'read' } as const;
  const owner = await withSessions(limits);
  await expect(endRequested(runtime, owner, OTHER, requesting(limits))).rejects.toMatchObject({
    code: 'forbidden',
    errors: [{ field: 'access' }],
  });
});

test('endRequested refuses every session when an API token may only read', async () => {
  const asking = { ...requesting({ access: 'read' }), session: undefined };
  await expect(endRequested(runtime, await withSessions(), OWN, asking)).rejects.toMatchObject({
    code: 'forbidden',
  });
});
