import { expect, test } from 'vitest';
import { readProfile } from '#lib/account/profile/profile';
import { listSessions, sessionSchema } from '#lib/account/sessions';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS } from '#lib/audit/streams';
import { exportAccount } from '#lib/export/export';
import { contract, texts } from '#lib/export/export.contract';
import type { Account } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import { shown } from '#lib/passkey/passkey';
import { setPassword } from '#lib/password/set-password';
import { putAll } from '#lib/table/bulk';
import { passkeyKey } from '#lib/table/keys';
import { newRoom } from '#lib/table/listing';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { sessionItem, storedSession, uuidOf } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, wire } = await openTestTable();
/** So long that an answer has room for about 240 sessions. */
const LONG = 'x'.repeat(20_000);
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
    passkeys: [shown(PASSKEY, 'localhost')],
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

/** Stores open sessions, the newest last. */
async function storeSessions(owner: Account, count: number) {
  const ids = Array.from({ length: count }, (_, n) => uuidOf(n));
  await putAll(
    table,
    ids.map((id) => sessionItem(owner, { id, ttl: END, user_agent: LONG })),
  );
  return ids.reverse();
}

const bytesOf = (answer: object) => Buffer.byteLength(JSON.stringify(answer));

test('exportAccount has all sessions that fit 5 MB, and fills the rest with audit entries', async () => {
  const ada = await account();
  const large = { fields: Array.from({ length: 1500 }, (_, n) => `${n}`.padStart(100, 'x')) };
  await store(Array.from({ length: 40 }, (_, n) => entry(ada.username, n, large)));
  const ids = await storeSessions(ada, 200);
  const exported = await exportAccount(runtime, ada);
  expect(exported.sessions.map(({ id }) => id)).toEqual(ids);
  expect(exported).not.toHaveProperty('sessions_truncated');
  expect(exported).toMatchObject({ audit_truncated: true });
  expect(exported.audit).toHaveLength(6);
  expect(bytesOf(exported)).toBeLessThan(5_000_000);
});

test('exportAccount leaves out older sessions, and all audit entries, when the answer is full', async () => {
  const ada = await account({ user_properties: { long: 'x'.repeat(60_000) } });
  await store([entry(ada.username, 1)]);
  const ids = await storeSessions(ada, 260);
  const exported = await exportAccount(runtime, ada);
  const { sessions, ...rest } = exported;
  expect(rest).toMatchObject({ sessions_truncated: true, audit: [], audit_truncated: true });
  expect(sessions.map(({ id }) => id)).toEqual(ids.slice(0, sessions.length));
  expect(bytesOf(exported)).toBeGreaterThan(4_970_000);
  expect(bytesOf(exported)).toBeLessThan(5_000_000);
});

test('exportAccount reads no more than 20 pages of sessions, which may have ended', async () => {
  const ada = await account();
  const user_agent = 'x'.repeat(390_000);
  await storedSession(table, ada, { id: uuidOf(0), ttl: END });
  for (let n = 1; n <= 60; n++)
    await storedSession(table, ada, { id: uuidOf(n), ttl: END, user_agent, stamp: 'another' });
  wire.reset();
  expect(await exportAccount(runtime, ada)).toMatchObject({ sessions: [], sessions_truncated: true });
  const read = wire.commands.filter(({ input }) => JSON.stringify(input).includes('SESSION#'));
  expect(read).toHaveLength(20);
});

test('an export has room for about as many sessions as its description says', () => {
  const agent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0';
  const session = {
    id: uuidOf(1),
    created_at: '2026-11-20T11:00:00.000Z',
    expires_at: '2026-11-21T11:00:00.000Z',
    address: '203.0.113.200',
    user_agent: agent,
    credential: null,
  };
  expect(sessionSchema().parse(session)).toEqual(session);
  const fits = newRoom();
  let count = 0;
  while (fits(session)) count++;
  const [, said = ''] = /about ([\d,]+)/.exec(texts.response.fields.sessions) ?? [];
  expect(Math.round(count / 1000)).toBe(Number(said.replace(',', '')) / 1000);
});
