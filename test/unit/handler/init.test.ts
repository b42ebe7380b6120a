import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { endpoint } from '#lib/handler/endpoint';
import { INIT_MS } from '#lib/handler/init';
import { HOUR_MS, withoutZone } from '#lib/time';
import { roundTrips } from '../../wire/dynamodb-proxy.ts';
import { call, createSigningKey, OPEN, openEndpoints } from '../support/endpoints.ts';
import { endLimits, PRODUCT_LIMITS } from '../support/limits.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';

const lines = logLines();
const { table, wire, session, account, operations } = await openEndpoints();
const CONTRACT = { ...OPEN, access: 'authenticated' } as const;
const open = () => endpoint(CONTRACT, () => 'verified');

// No request records a use.
const lastActivity = withoutZone(Date.now() + HOUR_MS);
const owner = await setAttributes(table, await account(), { lastActivity, never_used: false });
const jwt = await session(owner, await createSigningKey(table), Date.now());
const request = { headers: { authorization: `Bearer ${jwt}` } };
const READ_BY_REQUEST = ['Query', 'GetItem'];

/** An address that refuses connections, until it passes them on to the wire. */
const relay = createServer((socket) => {
  const onward = connect(Number(new URL(wire.url).port), '127.0.0.1');
  socket.pipe(onward).pipe(socket);
  for (const end of [socket, onward]) end.on('error', () => [socket, onward].map((each) => each.destroy()));
});
const listen = async (port: number) => {
  await once(relay.listen(port, '127.0.0.1'), 'listening');
  return (relay.address() as AddressInfo).port;
};
const port = await listen(0);
await once(relay.close(), 'close');
beforeEach(() => void vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', wire.url));
afterAll(() => void relay.close());

test('init reads the keys, so that the first request of a session reads its account only', async () => {
  const handler = open();
  await handler.init();
  expect(operations()).toEqual(['Query']);
  wire.reset();
  expect(await call(handler, request)).toMatchObject({ status: 200 });
  expect([operations(), roundTrips(wire.commands)]).toEqual([['GetItem'], 1]);
});

test('an endpoint reads nothing before its first request without init', async () => {
  const handler = open();
  expect(operations()).toEqual([]);
  expect(await call(handler, request)).toMatchObject({ status: 200 });
  expect([operations(), roundTrips(wire.commands)]).toEqual([READ_BY_REQUEST, 2]);
});

test('init ends, and the first request reads the keys, when the connection is refused', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${port}`);
  const handler = open();
  await handler.init();
  expect([operations(), lines]).toEqual([[], []]);
  await listen(port);
  expect(await call(handler, request)).toMatchObject({ status: 200 });
  expect(operations()).toEqual(READ_BY_REQUEST);
});

test('init takes a second at most, which leaves time for one attempt', () => {
  expect(INIT_MS).toBe(1000);
  expect(PRODUCT_LIMITS.requestTimeout).toBeGreaterThan(INIT_MS);
});

test('init ends its only attempt, and the first request reads the keys, when the table does not answer', async () => {
  endLimits();
  const handler = open();
  wire.script(() => 'hang');
  await handler.init();
  // Nothing is in flight that could survive a freeze.
  await wire.settled();
  expect([operations(), lines]).toEqual([['Query'], []]);
  wire.reset();
  expect(await call(handler, request)).toMatchObject({ status: 200 });
  expect(operations()).toEqual(READ_BY_REQUEST);
});
