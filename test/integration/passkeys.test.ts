import { expect, test } from 'vitest';
import type { AuditEntry } from '#lib/item/audit-entry';
import { type Authenticator, newAuthenticator } from '../authenticator.ts';
import { run } from './operator.ts';
import { admin, call, clientOf, createUser, get, noted, origin, post } from './service.ts';

const ask = async (purpose: string, jwt?: string) =>
  (await post('/api/core/account/passkey/options', { json: { purpose }, ...(jwt && { jwt }) })).body.data
    .options;

const create = async (name: string, device: Authenticator, jwt: string) => {
  const credential = device.create(await ask('create', jwt), { origin });
  return post(`/api/core/account/passkey/create/${encodeURIComponent(name)}`, { jwt, json: { credential } });
};
const assert = async (device: Authenticator, more = {}, jwt?: string) => {
  const credential = device.get(await ask('assert', jwt), { origin });
  const reply = await post('/api/core/account/passkey/assert', { json: { credential, ...more } });
  if (reply.status === 200) noted(reply.body.data.JWTtoken as string);
  return reply;
};
const service = await (await createUser({ roles: ['sys_introspection'] })).token();
const inspect = async (token: string) =>
  (await call('POST', '/api/core/oauth/introspect', { token: service, form: { token } }))
    .body as unknown as Record<string, unknown>;

test('a person creates a passkey, logs in with it, raises a session, and removes it', async () => {
  const user = await createUser();
  const device = newAuthenticator();
  const jwt = await user.logIn();
  expect((await create('phone', device, jwt)).body).toMatchObject({
    message: 'Passkey Created',
    data: {
      name: 'phone',
      used_at: null,
      rp_id: expect.stringContaining('localhost'),
      transports: ['internal', 'hybrid'],
    },
  });

  const before = Math.floor(Date.now() / 1000) - 1;
  const reply = await assert(device, { createCookie: true });
  expect(reply.body.data).toMatchObject({ username: user.username, token_type: 'Bearer' });
  const raised = reply.body.data.JWTtoken as string;
  expect(reply.headers.get('set-cookie')).toContain(`ptoken=${raised}; Path=/; HttpOnly`);
  const described = await inspect(raised);
  expect(described).toMatchObject({ active: true, amr: ['pop', 'user', 'mfa'], username: user.username });
  expect(described['auth_time']).toBe(described['iat']);
  expect(described['iat']).toBeGreaterThanOrEqual(before);
  const plain = await inspect(jwt);
  expect(plain).toMatchObject({ active: true, amr: ['pwd'] });
  expect(plain).not.toHaveProperty('auth_time');

  const own = { jwt: raised };
  const { items } = (await get('/api/core/account/passkeys', own)).body.data;
  expect(items).toMatchObject([{ name: 'phone', used_at: expect.stringMatching(/Z$/) }]);
  // Only the owner gets what the device knows the passkey by.
  const [{ credential_id, ...shown }] = items as [{ credential_id: string }];
  expect(credential_id).toBe(device.id);
  expect((await get(`/api/core/account/passkeys/${user.username}`, admin)).body.data).toEqual({
    items: [shown],
  });
  const sessions = (await get('/api/core/account/sessions', own)).body.data.items as { credential: string }[];
  expect(sessions.map(({ credential }) => credential)).toContain('passkey:phone');

  expect((await assert(device, {}, jwt)).status).toBe(200);
  const second = newAuthenticator();
  const refused = await post('/api/core/account/passkey/options', { jwt, json: { purpose: 'create' } });
  expect(refused.code).toBe('step_up_required');
  expect((await create('key', second, raised)).status).toBe(200);

  const removed = await post('/api/core/account/passkey/delete/phone', { jwt });
  expect(removed.body.data).toEqual({ username: user.username, name: 'phone' });
  expect((await get('/api/core/system/ping', { jwt: raised })).status).toBe(401);
  expect((await get('/api/core/system/ping', { jwt })).status).toBe(200);
  expect((await assert(device)).code).toBe('invalid_credentials');
  expect((await assert(second)).status).toBe(200);
  expect((await post('/api/core/account/passkey/delete/phone', { jwt })).code).toBe('passkey_not_found');
});

test('what is done with passkeys is in the audit log', async () => {
  const user = await createUser();
  const { username } = user;
  const device = newAuthenticator();
  const jwt = await user.logIn();
  await create('phone', device, jwt);
  await assert(device);
  await post(`/api/core/account/passkey/delete/none/${username}`, { jwt });
  await post(`/api/core/account/passkey/delete/phone/${username}`, admin);
  const read = async () =>
    ((await get(`/api/core/audit/browse?target=${username}`, admin)).body.data.items as AuditEntry[])
      .filter(({ action }) => action.includes('passkey'))
      .map(({ action, outcome, actor, credential, details }) => [
        action,
        outcome,
        actor === username,
        credential,
        details,
      ]);
  const session = { session: expect.any(String) };
  const expected = [
    ['account.passkey-delete', 'ok', false, expect.any(String), { passkey: 'phone' }],
    ['account.passkey-delete', 'passkey_not_found', true, expect.any(String), { passkey: 'none' }],
    ['account.passkey-assert', 'ok', true, 'passkey:phone', session],
    ['account.passkey-create', 'ok', true, expect.any(String), { passkey: 'phone' }],
  ];
  await expect.poll(read).toEqual(expected);
});

const NAMED = 'Anna’s iPhone (Büro) \u{1f469}\u200d\u{1f4bb}?#;+';

test('a passkey has a name of any script in paths, sessions and audit entries, and is removed in any case', async () => {
  const user = await createUser();
  const device = newAuthenticator();
  const jwt = await user.logIn();
  expect((await create(`  ${NAMED.normalize('NFD')} `, device, jwt)).body.data).toMatchObject({
    name: NAMED,
  });
  expect((await assert(device)).body.data).toMatchObject({ newest_passkey: { name: NAMED } });
  const sessions = (await get('/api/core/account/sessions', { jwt })).body.data.items as AuditEntry[];
  expect(sessions.map(({ credential }) => credential)).toContain(`passkey:${NAMED}`);
  const client = clientOf({ session: jwt });
  const removed = await client.account.passkeyDelete({ passkey_name: NAMED.toUpperCase() });
  expect(removed).toEqual({ username: user.username, name: NAMED });
  const read = async () =>
    ((await get(`/api/core/audit/browse?target=${user.username}`, admin)).body.data.items as AuditEntry[])
      .filter(({ action }) => action.includes('passkey'))
      .map(({ credential, details }) => details?.['passkey'] ?? credential);
  await expect.poll(read).toEqual([NAMED, `passkey:${NAMED}`, NAMED]);
});

test('a slash in the name of a passkey reaches no other account', async () => {
  const [user, other] = [await createUser(), await createUser()];
  const jwt = await user.logIn();
  await create('phone', newAuthenticator(), await other.logIn());
  const client = clientOf({ session: jwt });
  for (const passkey_name of [`phone/${other.username}`, `phone\\${other.username}`])
    await expect(client.account.passkeyDelete({ passkey_name })).rejects.toMatchObject({
      status: 0,
      errors: [{ field: 'passkey_name', message: 'Cannot be part of a path' }],
    });
  // The gateway decodes it: the path then names the other account.
  const sent = await post(`/api/core/account/passkey/delete/phone%2F${other.username}`, { jwt });
  expect(sent.code).toBe('forbidden');
  expect((await create('a/b', newAuthenticator(), jwt)).status).toBe(404);
  const { items } = (await get(`/api/core/account/passkeys/${other.username}`, admin)).body.data;
  expect(items).toMatchObject([{ name: 'phone' }]);
});

test('an operator removes the passkey of a stolen device, which ends every session', async () => {
  const user = await createUser();
  const device = newAuthenticator();
  const jwt = await user.logIn();
  await create('phone', device, jwt);
  const raised = (await assert(device)).body.data.JWTtoken as string;
  const listed = await run(['account', 'passkey', 'list', user.username, '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { name: 'phone', rp_id: expect.stringContaining('localhost') },
  ]);
  await run(['account', 'passkey', 'remove', 'PHONE', user.username]);
  for (const one of [jwt, raised])
    expect((await get('/api/core/system/ping', { jwt: one })).status).toBe(401);
  expect((await assert(device)).status).toBe(401);
  expect((await create('phone', device, await user.logIn())).status).toBe(200);
});

test('an API token creates and removes no passkey of its owner, nor does a session that it has logged in', async () => {
  const user = await createUser();
  const token = await user.token();
  const json = { username: 'api', password: token };
  const jwt = noted((await post('/api/core/account/login', { json })).body.data.JWTtoken as string);
  for (const credential of [{ token }, { jwt }]) {
    const create = { ...credential, json: { purpose: 'create' } };
    expect((await post('/api/core/account/passkey/options', create)).code).toBe('forbidden');
    expect((await post('/api/core/account/passkey/delete/phone', credential)).code).toBe('forbidden');
  }
});
