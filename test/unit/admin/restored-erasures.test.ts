import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { auditLogTo, openLogs } from '#lib/audit/audit-log';
import { FUNCTIONS, streamOf, VERIFIED } from '#lib/audit/streams';
import { completeErasures } from '#lib/erasure/complete';
import { eraseAccount } from '#lib/erasure/erase';
import type { Account } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import { hashWith } from '#lib/pseudonym/erasure-key';
import { accountKey, erasedIdKey, erasedNameKey, erasureKey } from '#lib/table/keys';
import { SETTLED_MS } from '#lib/table/pass';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { lineOf } from '../erasure/person.ts';
import { by, NOON } from '../support/engine.ts';
import { openTestLogGroup } from '../support/log-groups.ts';
import { openInstance } from './operator.ts';

/** The stack `s`, on which each stream of the audit log has its writers. */
const instance = await openInstance();
const { onStack, table, account, stored, runtime, clock, wire } = instance;
const logs = await openTestLogGroup('the-audit-log');
/** Entries that administrators have written in this test. */
const entries = () =>
  (logs.lines(ADMINISTRATORS) ?? []).map(({ message }) => JSON.parse(message) as AuditEntry);

const ADMINISTRATORS = streamOf('administrator');
const SUPPORT = streamOf('support');

async function admin(...args: readonly string[]) {
  const { code, stdout, stderr } = await onStack([...args, '--json']);
  return { code, stderr, answer: JSON.parse(stdout) };
}
const mend = () => admin('restore', 'check', '--mend');
const eraseAgain = (...options: readonly string[]) => admin('restore', 'erase-again', '--yes', ...options);

/** Findings about erasures, those that a refusal does not list included. */
async function found() {
  const { stdout } = await onStack(['restore', 'check']);
  return stdout.split('\n').filter((line) => /^\w+ +(erased_|unproved_)/.test(line));
}

/** Writes a line that says that an account was erased. */
async function write(stream: string, { username, id }: Account, part: object = {}, at = NOON) {
  const action = stream.startsWith('operators') ? 'admin account erase' : 'account.erase';
  const details = { userid: id, erased_at: new Date(at).toISOString() };
  const message = lineOf({ action, target: username.toLowerCase(), details, ...part }, at);
  await auditLogTo(openLogs(), 'the-audit-log', stream).append([{ timestamp: at, message }]);
}

const cancelled = async (part: object = {}) => {
  const it = await account(part);
  await cancelAccount(runtime, it, by('root'));
  return stored(it);
};
/** An account that a restore has brought back, of whose erasure the audit log has a line. */
async function back(stream = VERIFIED, it: Account | Promise<Account> = cancelled()) {
  const one = await it;
  await write(stream, one);
  return one;
}
const lost = async (stream = VERIFIED) => {
  const it = await back(stream, account());
  await remove(table, accountKey(it.username));
  return it;
};
const rowOf = ({ id }: Account) => get(table, erasedIdKey(id));
const lineAbout = ({ username, id }: Account, who = 'root') =>
  `${username.toLowerCase()} (${id}), erased at 2026-11-20T12:00:00.000Z by ${who}`;

test('restore check lists each erasure that the table does not know, by name, ID, time, actor and proof', async () => {
  const [proved, active, gone, unproved] = [
    await back(),
    await back(ADMINISTRATORS, account()),
    await lost(),
    await back(SUPPORT),
  ];
  const known = await account();
  await cancelAccount(runtime, known, by('root'));
  const week = { ...runtime, publish: async <T>(events: T) => events };
  await eraseAccount(week, known.username, await stored(known), by('root'), { days: true });
  await write(VERIFIED, known);
  expect((await found()).toSorted()).toEqual(
    [
      `wrong    erased_accounts         ${lineAbout(proved)}: back and cancelled; "restore erase-again" erases it`,
      `wrong    erased_accounts         ${lineAbout(active, 'operator:administrator')}: back and active; "restore erase-again" erases it`,
      `missing  erased_names            ${lineAbout(gone)}: not in the table; the name may be given away`,
      `unknown  unproved_erasures       ${lineAbout(unproved, 'operator:support')}: back and cancelled; unproved: whoever may write this stream may have made it up`,
    ].toSorted(),
  );
});

test('restore check --mend keeps names from being given away, and erases nobody', async () => {
  const [name, proved, active] = [await lost(), await back(), await back(VERIFIED, account())];
  const { answer } = await mend();
  expect(answer.errors.map(({ field }: { field: string }) => field)).not.toContain('erased_names');
  expect(await rowOf(name)).toMatchObject({ erased_id: name.id, erased_by: 'root' });
  expect((await onStack(['account', 'create', name.username])).stderr).toContain('account_erased');
  for (const it of [proved, active]) expect(await stored(it)).toMatchObject(it);
  expect((await found()).filter((line) => line.startsWith('wrong'))).toHaveLength(2);
  // It leaves no name.
  clock.time = Date.now() + SETTLED_MS;
  await completeErasures({ ...runtime, publish: async (events) => events }, 'run');
  expect(await get(table, erasureKey(name.id))).toBeUndefined();
});

test('restore check --mend records only the ID of an erased account whose name another one has', async () => {
  const it = await lost();
  await put(table, accountKey(it.username), { ...it, id: it.stamp });
  await mend();
  expect(await stored(it)).toMatchObject({ id: it.stamp });
  expect(await rowOf(it)).toMatchObject({ erased_id: it.id });
  expect(await get(table, erasedNameKey(hashWith('key', it.username)))).toBeUndefined();
  expect(await get(table, erasureKey(it.id))).toBeUndefined();
});

test.each([
  ['support has written into its own stream', SUPPORT],
  ['any function could have written in earlier versions', FUNCTIONS],
  ['somebody has written into another stream of operators', 'operators/other/commands'],
])('a line that %s erases nobody and blocks no name', async (_, stream) => {
  const [victim, last] = [await account(), await account({ roles: ['sys_administrator'] })];
  const ended = await cancelled();
  const [free] = [await lost(stream)];
  for (const it of [victim, last, ended]) await write(stream, it);
  await mend();
  const { code, answer } = await eraseAgain();
  expect([code, answer]).toEqual([0, { erased: [], left: expect.any(Array), changed: false }]);
  expect(answer.left.map(({ why }: { why: string }) => why)).toEqual(
    Array(3).fill('was erased by no line that proves it'),
  );
  for (const it of [victim, last, ended]) {
    expect(await stored(it)).toMatchObject(it);
    expect(await eraseAgain('--id', it.id)).toMatchObject({ code: 1, answer: { code: 'needs_force' } });
    expect(await stored(it)).toMatchObject(it);
  }
  expect(await rowOf(free)).toBeUndefined();
  // An operator who knows better names it.
  expect(await eraseAgain('--id', ended.id, '--force')).toMatchObject({ code: 0, answer: { changed: true } });
  expect(await stored(ended)).toBeUndefined();
  await remove(table, accountKey(last.username));
});

test('restore erase-again erases what is proved and cancelled, whatever the days, and leaves the rest', async () => {
  const it = await back();
  const active = await back(VERIFIED, account());
  const { code, stderr, answer } = await eraseAgain();
  expect([code, answer]).toEqual([
    0,
    {
      erased: [{ username: it.username.toLowerCase(), userid: it.id }],
      left: [{ username: active.username.toLowerCase(), userid: active.id, why: 'is active' }],
      changed: true,
    },
  ]);
  expect(stderr).toContain(`  ${lineAbout(it)}\n`);
  expect(stderr).toContain(`only --id ${active.id} --force erases it`);
  expect(await stored(it)).toBeUndefined();
  expect(await rowOf(it)).toMatchObject({ erased_id: it.id });
  expect(await stored(active)).toMatchObject(active);
  expect(await eraseAgain('--id', active.id, '--force')).toMatchObject({ code: 0 });
  expect(await stored(active)).toBeUndefined();
  expect(
    entries().filter(({ action, target }) => action === 'admin restore erase-again' && target),
  ).toMatchObject([
    { target: it.username.toLowerCase(), changed: true, details: { userid: it.id } },
    { target: active.username.toLowerCase(), changed: true, details: { userid: active.id, forced: 'state' } },
  ]);
});

test('what restore erase-again has erased is proved after another restore', async () => {
  const it = await back(FUNCTIONS);
  await eraseAgain('--id', it.id, '--force');
  await remove(table, erasedIdKey(it.id));
  await put(table, accountKey(it.username), it);
  expect(await found()).toContainEqual(
    expect.stringMatching(/^wrong {4}erased_accounts .* by operator:administrator: back/),
  );
});

test('restore erase-again leaves the last administrator, except by its ID and force', async () => {
  const it = await back(VERIFIED, cancelled({ roles: ['sys_administrator'] }));
  expect((await eraseAgain()).answer.left).toEqual([
    expect.objectContaining({ userid: it.id, why: 'is the last administrator' }),
  ]);
  expect((await eraseAgain('--id', it.id)).answer.code).toBe('needs_force');
  expect(await stored(it)).toMatchObject(it);
  const other = await account({ roles: ['sys_administrator'] });
  expect((await eraseAgain()).answer.erased).toMatchObject([{ userid: it.id }]);
  await remove(table, accountKey(other.username));
});

test('restore erase-again leaves the erasures that its options exclude', async () => {
  const [first, second] = [await cancelled(), await cancelled()];
  await write(VERIFIED, first);
  await write(VERIFIED, second, {}, NOON + DAY_MS);
  const none = { erased: [], changed: false };
  expect((await eraseAgain('--except', first.id.toUpperCase(), '--except', second.id)).answer).toMatchObject(
    none,
  );
  expect((await eraseAgain('--from', '2026-11-22')).answer).toMatchObject(none);
  expect((await eraseAgain('--until', '2026-11-20')).answer).toMatchObject(none);
  expect((await eraseAgain('--from', '2026-11-21', '--until', '2026-11-22')).answer.erased).toMatchObject([
    { userid: second.id },
  ]);
  expect(await stored(first)).toMatchObject(first);
});

test.each([['--except'], ['--id']])(
  'restore erase-again refuses an ID in %s that is not back',
  async (option) => {
    const it = await back();
    const { code, answer } = await eraseAgain(option, randomUUID());
    expect([code, answer.code]).toEqual([1, 'erasure_not_found']);
    expect(await stored(it)).toMatchObject(it);
  },
);

test.each([
  ['--force', '--force needs --id'],
  ['--id x --from 2026-11-20', '--id excludes --except, --from and --until'],
])('restore erase-again %s is refused before it does anything', async (options, fault) => {
  const { code, stderr } = await onStack(['restore', 'erase-again', ...options.split(' ')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(fault)]);
  expect(wire.commands).toEqual([]);
});

test('restore check lists no line whose ID or name is none, which somebody may copy into a shell', async () => {
  const it = await cancelled();
  await write(SUPPORT, it, { details: { userid: '$(id)' } });
  await write(SUPPORT, it, { target: '$(id)' });
  expect(await found()).toEqual([
    expect.stringMatching(/^ok/),
    expect.stringMatching(/^ok/),
    expect.stringMatching(/^ok/),
  ]);
});

test('restore erase-again asks before it erases', async () => {
  const it = await back();
  const { code, stderr } = await onStack(['restore', 'erase-again']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('not_confirmed')]);
  expect(await stored(it)).toMatchObject(it);
});

test('a stolen token cannot make the steps of a restore erase an account that nobody wanted to erase', async () => {
  const victim = await account();
  const before = await stored(victim);
  // The thief cancels, and has to wait for days.
  const thief = { ...runtime, publish: async <T>(events: T) => events };
  await cancelAccount(thief, victim, by('stolen'));
  await expect(
    eraseAccount(thief, victim.username, await stored(victim), by('stolen')),
  ).rejects.toMatchObject({
    code: 'account_cancelled_recently',
  });
  // Days later nobody has noticed.
  clock.time += 8 * DAY_MS;
  await eraseAccount(thief, victim.username, await stored(victim), by('stolen'));
  await write(VERIFIED, victim, { actor: 'stolen' }, clock.time);
  // The restored table is from before the theft.
  for (const key of [
    erasedIdKey(victim.id),
    erasedNameKey(hashWith('key', victim.username)),
    erasureKey(victim.id),
  ])
    await remove(table, key);
  await put(table, accountKey(victim.username), before);
  await mend();
  expect(await stored(victim)).toMatchObject({ isactive: true });
  expect((await eraseAgain()).answer.left).toEqual([
    expect.objectContaining({ userid: victim.id, why: 'is active' }),
  ]);
  // A restore to a time between cancellation and erasure: the operator excepts it.
  await cancelAccount(thief, await stored(victim), by('stolen'));
  expect((await eraseAgain('--except', victim.id)).answer).toMatchObject({ erased: [], changed: false });
  expect(await stored(victim)).toMatchObject({ id: victim.id });
});
