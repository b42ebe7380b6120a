import { expect, test } from 'vitest';
import { endSessions } from '#lib/account/reset-stamp';
import type { Account } from '#lib/item/account';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';

const { table, runtime, account, wire } = await openTestTable();
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;

test('a logout changes the stamp', async () => {
  const ada = await account();
  await endSessions(runtime, ada);
  expect((await stored(ada)).stamp).not.toBe(ada.stamp);
});

test('a logout that comes late leaves alone who has logged in since', async () => {
  const ada = await account();
  await endSessions(runtime, ada);
  const { stamp } = await stored(ada);
  await endSessions(runtime, ada);
  expect((await stored(ada)).stamp).toBe(stamp);
});

test('a logout whose answer is lost is sent again, and changes the stamp once', async () => {
  const ada = await account();
  let sent = 0;
  wire.script((operation) => (operation === 'UpdateItem' && sent++ === 0 ? 'lose' : undefined));
  expect(await endSessions(runtime, ada)).toBeUndefined();
  expect(sent).toBe(2);
  expect((await stored(ada)).stamp).not.toBe(ada.stamp);
});
