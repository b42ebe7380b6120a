import { expect, test } from 'vitest';
import { transition } from '#lib/account/lifecycle/transition';
import type { Account } from '#lib/item/account';
import { COLLISION } from '../../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../../support/engine.ts';
import { eventItem } from '../../support/items.ts';
import { setAttributes } from '../../support/set-attributes.ts';
import { shortestWaits } from '../../support/shortest-waits.ts';
import { failing } from '../../table/inputs.ts';

const { table, runtime, account, wire } = await openTestTable();

let events = 0;
const announced = {
  isDue: () => true,
  to: { user_short: 'NEW' },
  announcement: {
    events: () => [eventItem(events++)],
    expected: ({ user_app_name }: Account) => ({ user_app_name }),
    counted: () => ({}),
  },
};

shortestWaits();

test('transition succeeds after 40 collisions with other transactions', async () => {
  const target = await account();
  wire.script(failing(COLLISION, 40));
  expect(await transition(runtime, target, announced)).toMatchObject({ changed: true });
});

test('transition succeeds after 40 changes of an attribute that the event reports', async () => {
  const target = await account({ apps: ['core', 'crm'] });
  let changes = 0;
  wire.script(async (operation) => {
    if (operation === 'TransactWriteItems' && changes++ < 40)
      await setAttributes(table, target, { user_app_name: changes % 2 ? 'crm' : 'core' });
    return undefined;
  });
  expect(await transition(runtime, target, announced)).toMatchObject({ changed: true });
  expect(changes).toBe(41);
});
