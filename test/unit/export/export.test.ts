import { expect, test } from 'vitest';
import { MAX_EXPORTED_SESSIONS } from '#lib/account/maxima';
import { readProfile } from '#lib/account/profile/profile';
import { listSessions } from '#lib/account/sessions';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS } from '#lib/audit/streams';
import { exportAccount } from '#lib/export/export';
import { contract } from '#lib/export/export.contract';
import type { Account } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import { shown } from '#lib/passkey/passkey';
import { setPassword } from '#lib/password/set-password';
import { putAll } from '#lib/table/bulk';
import { passkeyKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { sessionItem, storedSession, uuidOf } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, operations, wire } = await openTestTable();
/** So long that a page of sessions has some hundreds. */
const LONG = 'x'.repeat(2500);
const END = NOON / 1000 + 3600;

const entry = (target: string, n: number, details: AuditEntry['details'] = null): AuditEntry => ({
  time: new Date(NOON - n * 1000).toISOString(),
  actor: 'admin',
  credential: null,
  action: 'account.lock',
  target,
  outcome: 'ok',
  changed: true,
  details,
  source: '192.0.2.1',
  requestId: `r${n}`,
});
const store = (entries: AuditEntry[]) =>
  storeEntries(
    runtime,
    FUNCTIONS,
    entries.map((one) => JSON.stringify({ level: 'audit', ...one })),
  );

const storeSessions = (of: Account, count: number) =>
  putAll(
    table,
    Array.from({ length: count }, (_, n) => sessionItem(of, { id: uuidOf(n), ttl: END, user_agent: LONG })),
  );

test('exportAccount has the profile, the tokens, the sessions and the audit entries of one account, and no secret', async () => {
  const ada = await account({ user_first_name: 'Ada', roles: ['r'] });
  const PASSKEY = {
    passkey_owner: ada.username,
    passkey_name: 'laptop',
    credential_id: 'id',
    public_key: 'the-public-key',
    counter: 0,
    transports: ['internal'],
    backup_eligible: true,
    backed_up: true,
    rp_id: 'example.com',
    passkey_created_at: '2026-11-20T05:30:00.000Z',
  };
  await put(table, passkeyKey('h'), PASSKEY);
  const owner = await setAttributes(table, ada, { passkeys: { laptop: 'h' } });
  const bob = await account();
  const { value } = await createToken(runtime, ada, 'ci', by(ada.username));
  await createToken(runtime, bob, 'other', by(bob.username));
  await setPassword({ ...runtime, settings: { ...runtime.settings, BcryptCost: 10 } }, ada, 'battery staple');
  await storedSession(table, ada, { id: uuidOf(1), ttl: END });
  await storedSession(table, bob, { id: uuidOf(2), ttl: END });
  await store([entry(ada.username, 1), entry(ada.username, 2), entry(bob.username, 3)]);
  const exported = await exportAccount(runtime, owner);
  const { instance: _, ...profile } = await readProfile(runtime, ada, undefined, { roles: [] });
  expect(exported).toEqual({
    exported_at: new Date(NOON).toISOString(),
    profile,
    tokens: (await listTokens(runtime, ada)).items,
    sessions: (await listSessions(runtime, ada)).items,
    passkeys: [shown(PASSKEY)],
    audit: [1, 2].map((n) => entry(ada.username, n)),
  });
  expect([exported.tokens.length, exported.sessions.length, exported.audit.length]).toEqual([1, 1, 2]);
  expect(contract.response().parse(exported)).toEqual(exported);
  expect(JSON.stringify(exported)).not.toContain(value);
  expect(JSON.stringify(exported)).not.toMatch(/the-public-key|\$2[aby]\$|[0-9a-f]{64}/);
});

test('exportAccount leaves out older audit entries when the answer is full', async () => {
  const ada = await account();
  const large = { fields: Array.from({ length: 1500 }, (_, n) => `${n}`.padStart(100, 'x')) };
  const entries = Array.from({ length: 40 }, (_, n) => entry(ada.username, n, large));
  await store(entries);
  const { audit, audit_truncated } = await exportAccount(runtime, ada);
  expect(audit_truncated).toBe(true);
  expect(audit).toEqual(entries.slice(0, audit.length));
  expect(audit.length).toBeGreaterThan(25);
  expect(audit.length).toBeLessThan(40);
});

test('exportAccount counts its other parts to the size of the answer', async () => {
  const ada = await account();
  const large = { fields: Array.from({ length: 1500 }, (_, n) => `${n}`.padStart(100, 'x')) };
  await store(Array.from({ length: 40 }, (_, n) => entry(ada.username, n, large)));
  const { audit } = await exportAccount(runtime, ada);
  await storeSessions(ada, 300);
  const fuller = await exportAccount(runtime, ada);
  expect(fuller.sessions).toHaveLength(300);
  expect(fuller.audit.length).toBeLessThan(audit.length);
});

test('exportAccount reads no further page of sessions after a thousand', async () => {
  const ada = await account();
  const count = MAX_EXPORTED_SESSIONS + 500;
  await storeSessions(ada, count);
  wire.reset();
  const { sessions, sessions_truncated } = await exportAccount(runtime, ada);
  expect(sessions_truncated).toBe(true);
  expect(sessions.length).toBeGreaterThanOrEqual(MAX_EXPORTED_SESSIONS);
  expect(sessions.length).toBeLessThan(count);
  expect(operations().filter((operation) => operation === 'Query').length).toBeLessThan(10);
});
