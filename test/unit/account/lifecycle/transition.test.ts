import { expect, test } from 'vitest';
import { transition } from '#lib/account/lifecycle/transition';
import type { Account } from '#lib/item/account';
import { teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { COLLISION } from '../../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../../support/engine.ts';
import { eventItem } from '../../support/items.ts';
import { setAttributes } from '../../support/set-attributes.ts';
import { shortestWaits } from '../../support/shortest-waits.ts';

const { table, account, stored, wire } = await openTestTable();

const renamed = { isDue: () => true, to: { user_short: 'NEW' }, announcement: undefined };
let events = 0;
const announced = {
  ...renamed,
  announcement: {
    publish: async () => [],
    of: () => eventItem(events++),
    expected: ({ user_app_name }: Account) => ({ user_app_name }),
  },
};

shortestWaits();

test('transition returns the account as it is written and counts the change', async () => {
  const target = await stored(await account());
  const result = await transition(table, target, renamed);
  expect(result).toEqual({ account: { ...target, user_short: 'NEW', transitions: 1 }, changed: true });
  expect(await stored(target)).toEqual(result.account);
  await transition(table, result.account, renamed);
  expect(await stored(target)).toMatchObject({ transitions: 2 });
});

test('transition waits for the required attributes and fails with 503 when they do not come', async () => {
  const target = await account();
  const requires = { token_count: 7 };
  const early = transition(table, target, { ...renamed, requires });
  await expect(early).rejects.toMatchObject({ code: 'unavailable' });
  expect(await stored(target)).not.toHaveProperty('transitions');
  await setAttributes(table, target, requires);
  expect(await transition(table, target, { ...renamed, requires })).toMatchObject({ changed: true });
});

test('transition writes the other items of the account as it was read', async () => {
  const target = await account();
  const others = (before: Account) => [{ Put: { Item: { ...teamKey('counted'), before } } }];
  await transition(table, target, { ...renamed, others });
  expect(await get(table, teamKey('counted'))).toMatchObject({ before: target });
});

test.each([
  ['without an event', renamed],
  ['with an event', announced],
])('transition %s succeeds after 40 collisions with other transactions', async (_name, change) => {
  const target = await account();
  let collisions = 0;
  wire.script((operation) =>
    operation === 'TransactWriteItems' && collisions++ < 40 ? COLLISION : undefined,
  );
  expect(await transition(table, target, change)).toMatchObject({ changed: true });
  expect(collisions).toBe(41);
});

test('transition succeeds after 40 changes of an attribute that the event reports', async () => {
  const target = await account({ apps: ['core', 'crm'] });
  let changes = 0;
  wire.script(async (operation) => {
    if (operation === 'TransactWriteItems' && changes++ < 40)
      await setAttributes(table, target, { user_app_name: changes % 2 ? 'crm' : 'core' });
    return undefined;
  });
  expect(await transition(table, target, announced)).toMatchObject({ changed: true });
  expect(changes).toBe(41);
});
