import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { EVENTS, exampleOf } from '#lib/event/events';
import { type AccountEvent, cleanUp } from '../../../infra/example/clean-up.ts';
import { documentsOf } from '../../document-client.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';

const { table, wire } = await openTestTable();
const client = documentsOf(table);
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
const event = (type: string, userid: string, transition: number): AccountEvent => ({
  'detail-type': type,
  detail: { id: `event-${transition}`, userid, username: 'ada', transition },
});

/** A customer with notes, what it becomes, and how it is told of the account. */
async function openCustomer() {
  const userid = `customer-${customers++}`;
  await client.send(new PutCommand({ TableName: CUSTOMERS, Item: { userid, notes: 'private' } }));
  return {
    cancel: (transition: number) => cleanUp(client, CUSTOMERS, event('user_cancel', userid, transition)),
    reactivate: (transition: number) =>
      cleanUp(client, CUSTOMERS, event('user_reactivate', userid, transition)),
    read: async () =>
      (await client.send(new GetCommand({ TableName: CUSTOMERS, Key: { userid }, ConsistentRead: true })))
        .Item,
    userid,
  };
}

describe('a subscriber that cleans up', () => {
  test('removes what it has of a cancelled account, once', async () => {
    const { cancel, read, userid } = await openCustomer();
    expect(await cancel(1)).toBe('cleaned up');
    expect(await read()).toEqual({ userid, state: 'cancelled', transition: 1, event_id: 'event-1' });
    expect(await cancel(1), 'the same event again').toBe('nothing to do');
  });

  test('takes back a cancellation', async () => {
    const { cancel, reactivate, read } = await openCustomer();
    await cancel(1);
    expect(await reactivate(2)).toBe('active again');
    expect(await read()).toMatchObject({ state: 'active', transition: 2 });
  });

  test('keeps what it has where the reactivation arrives first', async () => {
    const { cancel, reactivate, read } = await openCustomer();
    expect(await reactivate(2)).toBe('active again');
    expect(await cancel(1)).toBe('nothing to do');
    expect(await read()).toMatchObject({ state: 'active', notes: 'private' });
  });

  test('ends in the state of the last event, in whatever order and however often they come', async () => {
    for (const order of [
      [1, 2, 3],
      [3, 2, 1],
      [2, 1, 3],
      [3, 1, 2],
      [1, 1, 3, 2, 3, 1],
    ]) {
      const { cancel, reactivate, read } = await openCustomer();
      await Promise.all(order.map((transition) => (transition === 2 ? reactivate(2) : cancel(transition))));
      expect(await read(), String(order)).toMatchObject({ state: 'cancelled', transition: 3 });
      expect(await read()).not.toHaveProperty('notes');
    }
  });

  test('is told by exactly one of many equal deliveries that it had something to do', async () => {
    const { cancel } = await openCustomer();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => cancel(1)));
    expect(outcomes.filter((outcome) => outcome === 'cleaned up')).toHaveLength(1);
  });

  test('fails where its table is down, so that the event comes again', async () => {
    const { cancel, read } = await openCustomer();
    wire.script(() => DOWN);
    await expect(cancel(1)).rejects.toThrow('InternalServerError');
    wire.reset();
    expect(await read()).toMatchObject({ notes: 'private' });
    expect(await cancel(1)).toBe('cleaned up');
  });

  test('takes the published example of every event, and minds two of them', async () => {
    const outcomes = [];
    for (const each of EVENTS) {
      const detail = exampleOf(each) as AccountEvent['detail'];
      const of = { ...detail, userid: `example-${each.type}` };
      outcomes.push([each.type, await cleanUp(client, CUSTOMERS, { 'detail-type': each.type, detail: of })]);
    }
    expect(outcomes.filter(([, outcome]) => outcome !== 'nothing to do')).toEqual([
      ['user_cancel', 'cleaned up'],
      ['user_reactivate', 'active again'],
    ]);
  });
});
