import { expect, test } from 'vitest';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { openTestTable } from '../support/engine.ts';
import { accountItem } from '../support/items.ts';

const { table, account, stored } = await openTestTable();

test.each([false, true])('setLockoutEnabled sets %s and changes nothing else', async (lockoutenabled) => {
  const ada = await stored(await account({ lockoutenabled: !lockoutenabled }));
  const after = await setLockoutEnabled(table, ada, lockoutenabled);
  expect(after).toEqual({ ...ada, lockoutenabled });
  expect(await stored(ada)).toEqual(after);
});

test('setLockoutEnabled creates no account, and does not change a later one of the same name', async () => {
  const ada = await stored(await account());
  for (const gone of [accountItem({ username: 'gone' }), { ...ada, id: 'former' }])
    await expect(setLockoutEnabled(table, gone, false)).rejects.toMatchObject({ code: 'account_not_found' });
  expect(await stored(ada)).toEqual(ada);
});
