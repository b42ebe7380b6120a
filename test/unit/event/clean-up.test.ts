import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { ALL_EVENTS, exampleOf } from '#lib/event/events';
import { type AccountEvent, cleanUp } from '../../../infra/example/clean-up.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';

const { table, wire } = await openTestTable();
const { client } = table;
const CUSTOMERS = `${table.name}-customers`;

beforeAll(() =>
  client.send(
    new CreateTableCommand({
      TableName: CUSTOMERS,
      KeySchema: [{ AttributeName: 'userid', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'userid', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  ),
);

let customers = 0;

/** Creates a customer with notes; `receive` delivers events of its account: a reactivation has the transition 2. */
async function openCustomer() {
  const userid = `customer-${customers++}`;
  const byId = { TableName: CUSTOMERS, Key: { userid }, ConsistentRead: true };
  await client.send(new PutCommand({ TableName: CUSTOMERS, Item: { userid, notes: 'private' } }));
  const receive = (transition: number) =>
    cleanUp(client, CUSTOMERS, {
      'detail-type': transition === 2 ? 'user_reactivate' : 'user_cancel',
      detail: { id: `event-${transition}`, userid, username: 'ada', transition },
    });
  return { userid, receive, read: async () => (await client.send(new GetCommand(byId))).Item };
}

test('the example of a subscriber removes the data of a cancelled account once, and reactivates the customer', async () => {
  const { receive, read, userid } = await openCustomer();
  expect(await receive(1)).toBe('cleaned up');
  expect(await read()).toEqual({ userid, state: 'cancelled', transition: 1, event_id: 'event-1' });
  expect(await receive(1), 'the same event again').toBe('nothing to do');
  expect(await receive(2)).toBe('active again');
  expect(await read()).toMatchObject({ state: 'active', transition: 2 });
});

test('the example of a subscriber keeps the data when the reactivation arrives first', async () => {
  const { receive, read } = await openCustomer();
  expect(await receive(2)).toBe('active again');
  expect(await receive(1)).toBe('nothing to do');
  expect(await read()).toMatchObject({ state: 'active', notes: 'private' });
});

test.each([[[1, 2, 3]], [[3, 2, 1]], [[2, 1, 3]], [[3, 1, 2]], [[1, 1, 3, 2, 3, 1]]])(
  'the example of a subscriber ends in the state of the last event when events arrive as %j',
  async (order) => {
    const { receive, read } = await openCustomer();
    await Promise.all(order.map(receive));
    expect(await read()).toMatchObject({ state: 'cancelled', transition: 3 });
    expect(await read()).not.toHaveProperty('notes');
  },
);

test('the example of a subscriber cleans up once when the same event arrives many times at once', async () => {
  const { receive } = await openCustomer();
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => receive(1)));
  expect(outcomes.filter((outcome) => outcome === 'cleaned up')).toHaveLength(1);
});

test('the example of a subscriber fails, so that the event is sent again, when its table is down', async () => {
  const { receive, read } = await openCustomer();
  wire.script(() => DOWN);
  await expect(receive(1)).rejects.toThrow('InternalServerError');
  wire.reset();
  expect(await read()).toMatchObject({ notes: 'private' });
  expect(await receive(1)).toBe('cleaned up');
});

test('the example of a subscriber acts on the published examples of three events only, for a customer', async () => {
  const acted = [];
  for (const each of ALL_EVENTS) {
    const example = { 'detail-type': each.type, detail: exampleOf(each) as AccountEvent['detail'] };
    expect(await cleanUp(client, CUSTOMERS, example), 'no customer').toBe('nothing to do');
    const { userid } = await openCustomer();
    const outcome = await cleanUp(client, CUSTOMERS, { ...example, detail: { ...example.detail, userid } });
    if (outcome !== 'nothing to do') acted.push([each.type, outcome]);
  }
  expect(acted).toEqual([
    ['user_cancel', 'cleaned up'],
    ['user_reactivate', 'active again'],
    ['user_erase', 'forgotten'],
  ]);
});

test('the example of a subscriber forgets a customer whose account was erased, for good and in any order', async () => {
  const { receive, read, userid } = await openCustomer();
  const erase = () =>
    cleanUp(client, CUSTOMERS, {
      'detail-type': 'user_erase',
      detail: { id: 'event-9', userid, transition: 2 },
    });
  await receive(1);
  expect(await erase()).toBe('forgotten');
  expect(await read()).toBeUndefined();
  expect(await erase(), 'the same event again').toBe('nothing to do');
  for (const late of [1, 2, 3]) expect(await receive(late)).toBe('nothing to do');
  expect(await read()).toBeUndefined();
});
