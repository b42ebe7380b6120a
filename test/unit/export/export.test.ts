import { expect, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { readProfile } from '#lib/account/profile/profile';
import { listSessions, sessionSchema } from '#lib/account/sessions';
import { storeEntries } from '#lib/audit/store';
import { VERIFIED } from '#lib/audit/streams';
import { MAX_ATTEMPTS } from '#lib/export/entries';
import { exportAccount, exportFurther, wholeExport } from '#lib/export/export';
import { contract, texts } from '#lib/export/export.contract';
import { countPage, PAGES_A_MINUTE } from '#lib/export/pages';
import type { Account } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import { shown } from '#lib/passkey/passkey';
import { setPassword } from '#lib/password/set-password';
import { putAll } from '#lib/table/bulk';
import { auditIndex, auditKey, passkeyKey } from '#lib/table/keys';
import { newRoom } from '#lib/table/listing';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { lineOf } from '../audit/history.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { sessionItem, storedSession, uuidOf } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, wire, clock } = await openTestTable();
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
/** An entry with neither address, token nor session, as a person sees those of others. */
const withheld = (one: AuditEntry): AuditEntry => ({ ...one, credential: null, source: null });
const store = (entries: AuditEntry[]) =>
  storeEntries(
    runtime,
    VERIFIED,
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
  const { instance: _, ...profile } = await readProfile(runtime, ada, undefined, {
    username: ada.username,
    roles: [],
  });
  expect(exported).toEqual({
    exported_at: new Date(NOON).toISOString(),
    userid: ada.id,
    profile,
    tokens: (await listTokens(runtime, ada)).items,
    sessions: (await listSessions(runtime, ada)).items,
    passkeys: [shown(PASSKEY, 'localhost', ada)],
    code: null,
    audit: [1, 2].map((n) => withheld(entry(ada.username, n))),
    attempts: [],
  });
  expect([exported.tokens.length, exported.sessions.length, exported.audit.length]).toEqual([1, 1, 2]);
  expect(contract.response().parse(exported)).toEqual(exported);
  expect(JSON.stringify(exported)).not.toContain(value);
  expect(JSON.stringify(exported)).not.toMatch(/the-public-key|\$2[aby]\$|[0-9a-f]{64}/);
});

test('exportAccount has older audit entries on further pages when the answer is full', async () => {
  const ada = await account();
  const large = { fields: Array.from({ length: 1500 }, (_, n) => `${n}`.padStart(100, 'x')) };
  const entries = Array.from({ length: 40 }, (_, n) => entry(ada.username, n, large));
  await store(entries);
  const { audit, audit_truncated, audit_next } = await exportAccount(runtime, ada);
  expect(audit_truncated).toBe(true);
  expect(audit).toEqual(entries.slice(0, audit.length).map(withheld));
  expect(audit.length).toBeGreaterThan(25);
  expect(audit.length).toBeLessThan(40);
  const further = await exportFurther(runtime, ada, audit_next as string);
  expect(contract.response().parse(further)).toEqual(further);
  expect(further).toEqual({
    exported_at: new Date(NOON).toISOString(),
    audit: entries.slice(audit.length).map(withheld),
  });
  expect((await wholeExport(runtime, ada)).audit).toEqual(entries.map(withheld));
  const bob = await account();
  await expect(exportFurther(runtime, bob, audit_next as string)).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('exportAccount has what the person did to others, and shows no address, token or session of others', async () => {
  const [ada, bob] = [await account(), await account()];
  const session = { session: uuidOf(7) };
  const own = { actor: ada.username, credential: 'laptop' };
  const done: AuditEntry = { ...entry(bob.username, 1, session), ...own };
  const ended: AuditEntry = { ...entry(ada.username, 2, session), ...own, action: 'account.end-session' };
  const suffered: AuditEntry = { ...entry(ada.username, 3, session), credential: 'token-of-admin' };
  await store([done, ended, suffered, entry(bob.username, 4)]);
  const { audit } = await exportAccount(runtime, ada);
  expect(audit).toEqual([done, ended, withheld({ ...suffered, details: { session: null } })]);
});

test('exportAccount has the times and the maker of an open code', async () => {
  const [ada, maker] = [await account(), await account()];
  await createCode(runtime, ada, { by: maker.username, generation: 0 }, {}, { hours: 2 });
  const { code } = await exportAccount(runtime, ada);
  expect(code).toEqual({
    created_at: new Date(NOON).toISOString(),
    created_by: maker.username,
    expires_at: new Date(NOON + 7_200_000).toISOString(),
  });
});

const refusal = (target: string, n: number, actor: string | null): AuditEntry => ({
  ...entry(target, n),
  actor,
  outcome: 'forbidden',
  changed: false,
});

test('strangers push nothing out of an export: 13,000 refusals are an attempt, and the entries are all there', async () => {
  const ada = await account();
  const entries = [1, 2, 3].map((n) => entry(ada.username, 7000 + n));
  await store([...entries, refusal(ada.username, 7100, ada.username)]);
  for (let batch = 0; batch < 13; batch++)
    await store(
      Array.from({ length: 1000 }, (_, n) => refusal(ada.username, 5 - (batch * 1000 + n) / 4000, 'eve')),
    );
  const { audit, attempts, audit_next } = await exportAccount(runtime, ada);
  expect(audit.filter(({ outcome }) => outcome === 'ok')).toEqual(entries.map(withheld));
  // One's own refusal is an entry.
  expect(audit).toHaveLength(4);
  expect(audit_next).toBeUndefined();
  expect(attempts).toMatchObject([{ actor: 'eve', outcome: 'forbidden', source: null, credential: null }]);
  expect(attempts[0]).not.toHaveProperty('sources');
  expect(attempts[0]?.count).toBeGreaterThan(12_900);
});

test('exportAccount has the latest thousand attempts, also those that an earlier version stored one by one', async () => {
  const ada = await account();
  const former = Array.from({ length: 1100 }, (_, n) => refusal(ada.username, 7200 + n, 'eve'));
  const items = former.map((one) => {
    const key = auditKey(one.time, lineOf(one));
    return { ...key, ...auditIndex(ada.username, key), ...one, ttl: END };
  });
  await putAll(table, items);
  await store([entry(ada.username, 9000), refusal(ada.username, 1, 'mallory')]);
  const { audit, attempts } = await exportAccount(runtime, ada);
  expect(audit).toEqual([withheld(entry(ada.username, 9000))]);
  expect(attempts).toHaveLength(MAX_ATTEMPTS);
  expect(attempts[0]).toMatchObject({ actor: 'mallory' });
  expect(attempts.slice(1)).toEqual(former.slice(0, MAX_ATTEMPTS - 1).map(withheld));
});

test('countPage refuses the eleventh page of a credential in a minute, in any order, and no page of another one', async () => {
  const pages = (credential: string, count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => countPage(runtime, 'Ada', credential)));
  clock.time = NOON + 15_000;
  const results = await pages('laptop', PAGES_A_MINUTE + 5);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(PAGES_A_MINUTE);
  const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ code: 'too_many_requests', retryAfter: 45 });
  expect(await pages('another', 1)).toMatchObject([{ status: 'fulfilled' }]);
  clock.time = NOON + 60_000;
  expect(await pages('laptop', 1)).toMatchObject([{ status: 'fulfilled' }]);
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

test('exportAccount reads on past a page of sessions that have all ended', async () => {
  const ada = await account();
  const user_agent = 'x'.repeat(390_000);
  const ended = Array.from({ length: 8 }, (_, n) => ({ id: uuidOf(n + 1), user_agent, stamp: 'another' }));
  const open = [{ id: uuidOf(0) }, { id: uuidOf(9) }];
  for (const one of [...open, ...ended]) await storedSession(table, ada, { ttl: END, ...one });
  const { sessions, ...rest } = await exportAccount(runtime, ada);
  expect(sessions.map(({ id }) => id)).toEqual([uuidOf(9), uuidOf(0)]);
  expect(rest).not.toHaveProperty('sessions_truncated');
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
