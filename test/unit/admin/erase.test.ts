import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { DAY_MS } from '#lib/time';
import { wholeTable } from '../erasure/person.ts';
import { variablesOf } from '../support/engine.ts';
import { openInstance } from './operator.ts';

const instance = await openInstance({ ErasureAfterDays: '0' });
const { run, json, account, stored, audited, describeInstance } = instance;

/** A terminal on which a line is typed; without one, its input ends. */
const typing = (line: string) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  if (line === '') input.end();
  else input.write(line);
  return input;
};
const cancelled = async () => {
  const it = await account();
  await json(['account', 'cancel', it.username, '--yes']);
  return stored(it);
};
/** The audit lines of erasures. */
const lines = (starts = false) =>
  audited(starts)
    .filter(({ action }) => action === 'admin account erase')
    .map(({ target, outcome, changed }) => [target, outcome, changed]);

test.each([
  ['no', 'no\r', 'Nothing was changed'],
  ['y', 'y\r', 'Nothing was changed'],
  ['its username', 'NAME\r', 'Nothing was changed'],
  ['an empty line', '\r', 'Nothing was changed'],
  ['nothing, at the end of the input', '', 'Nothing was changed'],
  ['yes without a terminal', undefined, 'There is no terminal to confirm on: add --yes'],
])('account erase changes nothing after %s', async (_what, typed, message) => {
  const it = await cancelled();
  const before = await wholeTable(instance);
  const input = typed === undefined ? 'yes\n' : typing(typed.replace('NAME', it.username));
  const { code, stdout, stderr } = await run(['account', 'erase', it.username], input);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`Erasing ${it.username} removes the account and everything about the person`);
  expect(stderr).toContain('Nothing undoes this.');
  expect(stderr).toContain(`not_confirmed: ${message}\n`);
  expect(await wholeTable(instance)).toEqual(before);
  expect(lines(true)).toEqual([
    [it.username, 'started', null],
    [it.username, 'not_confirmed', false],
  ]);
});

test('account erase goes on after yes, and prompts no more for what is erased', async () => {
  const it = await cancelled();
  const { code, stderr } = await run(['account', 'erase', it.username], typing('yes\r'));
  expect([code, stderr]).toEqual([0, expect.stringContaining('Go on? (yes or no)')]);
  expect(await stored(it)).toBeUndefined();
  const repeated = await run(['account', 'erase', it.username]);
  expect([repeated.code, repeated.stderr]).toEqual([0, expect.not.stringContaining('Erasing')]);
  expect(lines()).toEqual([
    [it.username, 'ok', true],
    [it.username, 'ok', false],
  ]);
});

test('account erase waits for the days of its setting, except with --force, which its audit entry shows', async () => {
  describeInstance({ settings: variablesOf({ ErasureAfterDays: '7' }) });
  const it = await cancelled();
  const early = await run(['account', 'erase', it.username, '--yes']);
  const from = new Date(Date.parse(`${it.cancelled_at}`) + 7 * DAY_MS).toISOString();
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringContaining(
      `account_cancelled_recently: The account was cancelled too recently to be erased. It can be erased from ${from} on.`,
    ),
  ]);
  expect(early.stderr).not.toContain('Erasing');
  expect(await stored(it)).toMatchObject({ id: it.id });
  expect((await json(['account', 'erase', it.username, '--yes', '--force'])).code).toBe(0);
  expect(audited().filter(({ action }) => action === 'admin account erase')).toMatchObject([
    { outcome: 'account_cancelled_recently', changed: false, details: null },
    { outcome: 'ok', changed: true, details: { userid: it.id, forced: 'days' } },
  ]);
});

test('account erase refuses an active account, also with --force', async () => {
  const it = await account();
  const { code, stderr } = await run(['account', 'erase', it.username, '--yes', '--force']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('account_active')]);
});

test('account erase refuses an active account, and one that never was, before it prompts', async () => {
  const it = await account();
  for (const [username, refused] of [
    [it.username, 'account_active'],
    ['nobody', 'account_not_found'],
  ] as const) {
    const { code, stderr } = await run(['account', 'erase', username, '--yes'], typing('yes\r'));
    expect([code, stderr]).toEqual([1, expect.stringContaining(refused)]);
    expect(stderr).not.toContain('Erasing');
  }
  expect(await stored(it)).toMatchObject(it);
});
