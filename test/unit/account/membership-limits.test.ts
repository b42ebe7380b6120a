import { beforeAll, describe, expect, test } from 'vitest';
import { addMemberships, copyMemberships } from '#lib/account/memberships';
import { createTeam } from '#lib/account/team';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';

const { table, runtime, account } = await openTestTable();

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `name-${from + index}`);
const NONE = { roles: [], apps: [], teams: [] };

beforeAll(async () => {
  for (const short of names(0, 101)) await createTeam(runtime, { short, name: short, type: 'internal' });
});

const stored = (username: string) => get(table, accountKey(username));

describe.each([
  ['roles', 'role_limit'],
  ['apps', 'app_limit'],
  ['teams', 'team_limit'],
] as const)('adding %s', (kind, limit) => {
  test('goes up to 100', async () => {
    const before = await account({ [kind]: names(0, 99) });
    const after = await addMemberships(table, before, { ...NONE, [kind]: names(98, 100) });
    expect(after[kind]).toHaveLength(100);
    expect((await stored(before.username))?.[kind]).toEqual(after[kind]);
  });

  test('does not go to 101, and then adds nothing', async () => {
    const before = await account({ [kind]: names(0, 99) });
    await expect(addMemberships(table, before, { ...NONE, [kind]: names(99, 101) })).rejects.toMatchObject({
      code: limit,
    });
    expect(await stored(before.username)).toMatchObject(before);
  });

  test('counts what others have added meanwhile', async () => {
    const stale = await account({ [kind]: names(0, 99) });
    await addMemberships(table, stale, { ...NONE, [kind]: names(99, 100) });
    await expect(addMemberships(table, stale, { ...NONE, [kind]: names(100, 101) })).rejects.toMatchObject({
      code: limit,
    });
    expect((await stored(stale.username))?.[kind]).toHaveLength(100);
  });
});

describe.each([
  ['roles', 'role_limit', 'teams'],
  ['teams', 'team_limit', 'roles'],
] as const)('copying %s', (kind, limit, other) => {
  test('goes up to 100', async () => {
    const [source, target] = [
      await account({ [kind]: names(50, 100) }),
      await account({ [kind]: names(0, 60) }),
    ];
    await copyMemberships(table, source, target);
    expect((await stored(target.username))?.[kind]).toHaveLength(100);
  });

  test('does not go to 101, and then copies nothing', async () => {
    const [source, target] = [
      await account({ [kind]: names(50, 101), [other]: names(0, 1) }),
      await account({ [kind]: names(0, 60) }),
    ];
    await expect(copyMemberships(table, source, target)).rejects.toMatchObject({ code: limit });
    expect(await stored(target.username)).toMatchObject(target);
  });
});
