import { describe, expect, test } from 'vitest';
import { addMemberships, copyMemberships } from '#lib/account/memberships';
import { createTeam, membershipsIn } from '#lib/account/team';
import type { Account } from '#lib/item/account';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account } = await openTestTable();

const [A, B, C] = await Promise.all(
  ['A', 'B', 'C'].map((short) => createTeam(runtime, { short, name: `Team ${short}`, type: 'internal' })),
);
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;

test('the target gets the roles and teams that it lacks, and nothing else changes', async () => {
  const source = await account({ roles: ['a', 'b'], teams: ['C', 'A', 'B'], apps: ['billing'] });
  const target = await account({ roles: ['b', 'c'], teams: ['A'], apps: ['x', 'y'] });
  expect(await copyMemberships(table, source, target)).toEqual({
    source: source.username,
    target: target.username,
    roles_added: ['a'],
    teams_added: [C?.team_id, B?.team_id],
  });
  expect(await stored(target)).toMatchObject({
    ...target,
    roles: ['b', 'c', 'a'],
    teams: await membershipsIn(table, ['A', 'C', 'B']),
  });
  expect(await stored(source)).toMatchObject(source);
});

test('a second copy adds nothing', async () => {
  const [source, target] = [await account({ roles: ['a'], teams: ['A'] }), await account()];
  await copyMemberships(table, source, target);
  const after = await stored(target);
  expect(await copyMemberships(table, source, after)).toMatchObject({ roles_added: [], teams_added: [] });
  expect(await stored(target)).toEqual(after);
});

describe('the default team', () => {
  test('of the source is that of a target that has none', async () => {
    const source = await setAttributes(table, await account({ teams: ['A', 'B'] }), {
      team_id: B?.team_id as string,
      team_name: 'Team B',
    });
    const target = await account();
    await copyMemberships(table, source, target);
    expect(await stored(target)).toMatchObject({ team_id: B?.team_id, team_name: 'Team B' });
  });

  test('of the target stays', async () => {
    const [source, target] = [await account({ teams: ['A'] }), await account({ teams: ['C'] })];
    await copyMemberships(table, source, target);
    expect(await stored(target)).toMatchObject({ team_id: C?.team_id, team_name: 'Team C' });
  });

  test('stays empty where neither has one', async () => {
    const [source, target] = [await account({ roles: ['a'] }), await account()];
    await copyMemberships(table, source, target);
    expect(await stored(target)).toMatchObject({ team_id: '', team_name: '', roles: ['a'] });
  });
});

describe('a target that has changed since it was read', () => {
  test('keeps what it got, and is not told to have been given that', async () => {
    const source = await account({ roles: ['a', 'b'], teams: ['A', 'B'] });
    const stale = await account();
    await addMemberships(table, stale, { roles: ['a', 'x'], apps: [], teams: ['B', 'C'] });
    expect(await copyMemberships(table, source, stale)).toMatchObject({
      roles_added: ['b'],
      teams_added: [A?.team_id],
    });
    expect(await stored(stale)).toMatchObject({
      roles: ['a', 'x', 'b'],
      teams: await membershipsIn(table, ['B', 'C', 'A']),
      team_id: B?.team_id,
    });
  });

  test('gets nothing once it is cancelled', async () => {
    const [source, stale] = [await account({ roles: ['a'] }), await account()];
    const cancelled = await setAttributes(table, stale, { isactive: false });
    for (const target of [stale, cancelled])
      await expect(copyMemberships(table, source, target)).rejects.toMatchObject({
        code: 'account_cancelled',
      });
    expect(await stored(stale)).toEqual(cancelled);
  });
});

test('a cancelled source may be copied from', async () => {
  const source = await setAttributes(table, await account({ roles: ['a'] }), { isactive: false });
  const target = await account();
  expect(await copyMemberships(table, source, target)).toMatchObject({ roles_added: ['a'] });
});
