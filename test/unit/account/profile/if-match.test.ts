import { expect, test } from 'vitest';
import { etagOf } from '#lib/account/profile/etag';
import { readProfile } from '#lib/account/profile/profile';
import { updateProfile } from '#lib/account/profile/update';
import { readProperties } from '#lib/account/properties';
import type { Account } from '#lib/item/account';
import { accountKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { openTestTable } from '../../support/engine.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, runtime, account, operations, wire } = await openTestTable();
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;
const tagOf = async (owner: Account) => etagOf(await readProfile(runtime, await stored(owner), undefined));

type Update = Parameters<typeof updateProfile>[2];
const CHANGES: [string, Update][] = [
  ['fields', { user_short: 'x' }],
  ['properties', { user_properties: { a: 2 } }],
  ['both', { user_short: 'x', user_properties: { a: 2 } }],
];

test.each(CHANGES)('%s change where the user is as it was read, and once only', async (_what, changes) => {
  for (const user_properties of [{ a: 1 }, undefined]) {
    const ada = await account(user_properties ? { user_properties } : {});
    const tag = await tagOf(ada);
    wire.reset();
    const after = await updateProfile(runtime, ada, changes, tag);
    expect(operations()).toEqual(['GetItem', 'TransactWriteItems']);
    expect(after.user).toMatchObject({ ...changes });
    await expect(updateProfile(runtime, await stored(ada), changes, tag)).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await expect(updateProfile(runtime, await stored(ada), changes, etagOf(after))).resolves.toEqual(after);
  }
});

test.each(CHANGES)(
  'of two updates of %s at once with the same tag one is carried out',
  async (_what, changes) => {
    const ada = await account({ user_properties: { a: 1 } });
    const tag = await tagOf(ada);
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) =>
        updateProfile(runtime, ada, { ...changes, phonenumber: `${n}` }, tag),
      ),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of all)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'precondition_failed' });
  },
);

/** What may happen between the read that the tag is compared with, and the write. */
const MEANWHILE: [string, (ada: Account) => Promise<unknown>][] = [
  ['a field', (ada) => setAttributes(table, ada, { phonenumber: '1' })],
  ['the state', (ada) => setAttributes(table, ada, { isactive: false })],
  ['the properties', ({ username }) => put(table, propertiesKey(username), { json: '{"root":{},"b":1}' })],
];

test.each(MEANWHILE)(
  '%s that changes between read and write is kept, and nothing else changes',
  async (_what, change) => {
    for (const [, changes] of CHANGES) {
      const ada = await account();
      const tag = await tagOf(ada);
      let reads = 0;
      wire.script(async (operation) => {
        if (operation === 'TransactWriteItems' && reads++ === 0) await change(ada);
        return undefined;
      });
      await expect(updateProfile(runtime, ada, changes, tag)).rejects.toMatchObject({
        code: 'precondition_failed',
      });
      wire.reset();
      expect((await stored(ada)).user_short).toBe(ada.user_short);
      expect((await readProperties(table, ada.username))['a']).toBeUndefined();
    }
  },
);

test('activity and roles are no obstacle, and nothing is to be written of nothing', async () => {
  const ada = await account();
  const tag = await tagOf(ada);
  await setAttributes(table, ada, { lastActivity: '2026-11-21T00:00:00.000', roles: ['r'] });
  await expect(updateProfile(runtime, ada, { user_short: 'x' }, tag)).resolves.toBeTruthy();
  await expect(updateProfile(runtime, await stored(ada), {}, tag)).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  await expect(updateProfile(runtime, await stored(ada), {}, '*')).resolves.toBeTruthy();
});
