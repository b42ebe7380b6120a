import { expect, test } from 'vitest';
import { accountFindings } from '#infra/admin/doctor/accounts';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { pseudonymOf } from '#lib/item/erasure';
import { by } from '../support/engine.ts';
import { uuidOf } from '../support/items.ts';
import { openInstance } from './operator.ts';

const { run, json, account, runtime } = await openInstance();

const ADMIN = by('admin');
const ERASED = pseudonymOf(uuidOf(1));
const machineOf = (owner: string) => account({ kind: 'machine', owner });

test('machines whose owner is cancelled or erased need attention: in the list, and in doctor', async () => {
  const [here, locked, gone] = [await account(), await account(), await account()];
  const finding = async () =>
    (await accountFindings(runtime, 1000)).find(({ check }) => check === 'machines');
  const [ofHere, ofLocked] = [await machineOf(here.username), await machineOf(locked.username)];
  const [ofGone, ofErased] = [await machineOf(gone.username), await machineOf(ERASED)];
  await lockAccount(runtime, locked, ADMIN);
  expect(await finding()).toMatchObject({
    state: 'unknown',
    found: expect.stringMatching(/^1 of 4 machines without an active owner: "account list --owner-gone"/),
  });
  await cancelAccount(runtime, gone, ADMIN);
  expect((await finding())?.found).toMatch(/^2 of 4 machines /);

  const namesOf = async (...options: string[]) => {
    const { answer } = await json(['account', 'list', ...options]);
    return answer.map(({ username }: { username: string }) => username).sort();
  };
  expect(await namesOf('--owner-gone')).toEqual([ofGone.username, ofErased.username].sort());
  expect(await namesOf('--owner', gone.username.toUpperCase())).toEqual([ofGone.username]);
  expect(await namesOf('--owner', ERASED)).toEqual([ofErased.username]);
  expect(await namesOf('--owner', gone.username, '--owner-gone')).toEqual([ofGone.username]);
  expect(await namesOf('--owner', ofHere.username)).toEqual([]);
  expect(await namesOf('--kind', 'machine')).toHaveLength(4);

  const { stdout } = await run(['account', 'list', '--kind', 'machine']);
  expect(stdout).toMatch(new RegExp(`  ${ofLocked.username}  machine of ${locked.username}$`, 'm'));
  expect(stdout).toMatch(new RegExp(`  ${ofErased.username}  machine of ${ERASED}$`, 'm'));
});

test.each([[['--owner', 'ada']], [['--owner-gone']]])(
  'persons have no owner: account list %j refuses them',
  async (options) => {
    const { code, stderr } = await run(['account', 'list', '--kind', 'person', ...options]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('only machines have an owner')]);
  },
);
