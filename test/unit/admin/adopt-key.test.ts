import { beforeEach, expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { auditLogTo, openLogs } from '#lib/audit/audit-log';
import { VERIFIED } from '#lib/audit/streams';
import { eraseAccount } from '#lib/erasure/erase';
import { checkOf, hashWith, storedCheck, writeCheck } from '#lib/pseudonym/erasure-key';
import { erasedIdKey, erasedNameKey, erasureKeyCheckKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { NAMES } from '../../../infra/local/machine/resource-names.ts';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { lineOf } from '../erasure/person.ts';
import { by, NOON } from '../support/engine.ts';
import { openTestLogGroup } from '../support/log-groups.ts';
import { openInstance } from './operator.ts';

/** The stack `s`, whose table has the key `key`. */
const { onStack, table, account, stored, runtime, secrets, json, audited } = await openInstance();
await openTestLogGroup('the-audit-log');

const own = () => secrets.textOf(NAMES.erasureKey);
const holds = (key: string) => secrets.put(NAMES.erasureKey, key);
const keeps = async (key: string | undefined) => {
  await remove(table, erasureKeyCheckKey);
  if (key !== undefined) await writeCheck(table, key);
};
beforeEach(async () => {
  await holds('key');
  await keeps('key');
});

async function admin(...args: readonly string[]) {
  const { code, stdout, stderr } = await onStack([...args, '--json']);
  return { code, stderr, answer: JSON.parse(stdout) };
}
const adopt = (...options: readonly string[]) => admin('restore', 'adopt-key', ...options);
const foundIn = async (command: string) => {
  // No subscription copies audit lines here.
  const { stdout } = await onStack([
    ...command.split(' '),
    ...(command === 'doctor' ? ['--audit-seconds', '0'] : []),
  ]);
  return stdout.split('\n').filter((line) => /^\w+ +erasure_key/.test(line));
};
const MISSING =
  'the table has no check value of the key; if it comes from another stack, "restore adopt-key" first copies the key';
const OTHER = 'the secret has another key than the table: "restore adopt-key" copies a kept one';

/** An account that was erased by the key of the table, of which the audit log has a line. */
async function erased() {
  const it = await account();
  const publishing = { ...runtime, publish: async <T>(events: T) => events };
  await cancelAccount(publishing, it, by('root'));
  await eraseAccount(publishing, it.username, await stored(it), by('root'), { days: true });
  const details = { userid: it.id, erased_at: new Date(NOON).toISOString() };
  const message = lineOf({ action: 'account.erase', target: it.username, details }, NOON);
  await auditLogTo(openLogs(), 'the-audit-log', VERIFIED).append([{ timestamp: NOON, message }]);
  return it;
}

test.each([
  ['ok', 'key', 'key', 'the one of the table'],
  ['missing', undefined, 'key', MISSING],
  ['wrong', 'key', 'another', OTHER],
])('doctor and restore check report a key that is %s', async (state, ofTable, ofSecret, found) => {
  await keeps(ofTable);
  await holds(ofSecret);
  const line = `${state.padEnd(7)}  erasure_key             ${found}`;
  const mended = state === 'missing' ? ': "restore check --mend" adds it' : '';
  expect(await foundIn('restore check')).toEqual([line]);
  expect(await foundIn('doctor')).toEqual([`${line}${mended}`]);
});

test('doctor and restore check leave the key to administrators', async () => {
  secrets.script((operation) => {
    if (operation === 'GetSecretValue') throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  const line = 'unknown  erasure_key             only administrators may read the key';
  for (const command of ['doctor', 'restore check']) expect(await foundIn(command)).toEqual([line]);
});

test('restore check --mend writes the check value of a table that has none', async () => {
  await keeps(undefined);
  await admin('restore', 'check', '--mend');
  expect(await storedCheck(table)).toBe(checkOf('key'));
});

test('adopt-key copies the key of another secret if it is the one of the table, and prints no key', async () => {
  const kept = await secrets.create('key');
  await holds('another');
  const { code, answer, stderr } = await adopt('--from', kept);
  expect([code, answer]).toEqual([0, { key: 'copied', check: 'same', changed: true }]);
  expect(await own()).toBe('key');
  expect(`${JSON.stringify(answer)}${stderr}`).not.toMatch(/another|"key"(?!:)/);
  expect((await adopt('--from', kept)).answer).toEqual({ key: 'same', check: 'same', changed: false });
});

test('adopt-key takes back a key that was replaced in the secret', async () => {
  await holds('another');
  expect((await adopt()).answer.code).toBe('erasure_key_differs');
  expect((await adopt('--previous')).code).toBe(0);
  expect(await own()).toBe('key');
});

test('adopt-key refuses another key than that of the table, and replaces it by force', async () => {
  const other = await secrets.create('another');
  expect(await adopt('--from', other)).toMatchObject({ code: 1, answer: { code: 'erasure_key_differs' } });
  expect([await own(), await storedCheck(table)]).toEqual(['key', checkOf('key')]);
  const { answer, stderr } = await adopt('--from', other, '--force');
  expect(answer).toEqual({ key: 'copied', check: 'replaced', changed: true });
  expect(stderr).toContain('Names erased under the former key are free from now on');
  expect([await own(), await storedCheck(table)]).toEqual(['another', checkOf('another')]);
});

test('adopt-key names a secret that it cannot read', async () => {
  const { code, answer } = await adopt('--from', 'nowhere');
  expect([code, answer]).toMatchObject([1, { code: 'erasure_key_unreadable' }]);
  expect(answer.message).toMatch(/^The key of the secret nowhere cannot be read: ResourceNotFoundException/);
});

test('the audit log has an adoption, with what became of the check value', async () => {
  await json(['restore', 'adopt-key', '--force']);
  await keeps('another');
  await json(['restore', 'adopt-key', '--force']);
  expect(
    audited().map(({ action, outcome, changed, details }) => [action, outcome, changed, details]),
  ).toEqual([
    ['admin restore adopt-key', 'ok', false, { check: 'same' }],
    ['admin restore adopt-key', 'ok', true, { check: 'replaced' }],
  ]);
});

test('names of the audit log prove the key of a table that has no check value', async () => {
  await erased();
  await keeps(undefined);
  await holds('another');
  const [line] = await foundIn('restore check');
  expect(line).toMatch(
    /^wrong {4}erasure_key .* no hash by this key of \d+ erased names? of the audit log: /,
  );
  // Nothing takes it for the key of the table.
  await admin('restore', 'check', '--mend');
  expect(await storedCheck(table)).toBeUndefined();
  expect((await adopt()).answer.code).toBe('erasure_key_unproved');
  expect((await adopt('--previous')).answer).toEqual({ key: 'copied', check: 'written', changed: true });
  expect((await foundIn('restore check'))[0]).toMatch(/^ok .* as \d+ names? of the audit log prove$/);
});

test('names of the audit log show that somebody has changed the check value', async () => {
  await erased();
  await keeps('forged');
  expect((await foundIn('restore check'))[0]).toMatch(
    /^wrong .* have hashes of this one: "restore adopt-key --force"/,
  );
  expect((await adopt('--force')).answer).toEqual({ key: 'same', check: 'replaced', changed: true });
});

test('restore check --mend records erased names under a new key, which nobody gets then', async () => {
  const it = await erased();
  const before = await get(table, erasedIdKey(it.id));
  const other = await secrets.create('another');
  await adopt('--from', other, '--force');
  const lost = async () => (await onStack(['restore', 'check'])).stdout.includes(`${it.id}), erased`);
  expect(await lost()).toBe(true);
  await admin('restore', 'check', '--mend');
  expect(await lost()).toBe(false);
  expect(await get(table, erasedNameKey(hashWith('another', it.username)))).toMatchObject({
    erased_id: it.id,
  });
  expect(await get(table, erasedIdKey(it.id))).toEqual(before);
  expect((await onStack(['account', 'create', it.username])).stderr).toContain('account_erased');
  expect((await foundIn('restore check'))[0]).toMatch(/^ok /);
});

test('a command that gives a name refuses while the key is another one', async () => {
  const it = await erased();
  await holds('another');
  const { code, stderr } = await onStack(['account', 'create', it.username]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^erasure_key_differs: /m)]);
  expect(await stored(it)).toBeUndefined();
});
