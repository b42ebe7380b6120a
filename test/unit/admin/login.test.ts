import { beforeEach, expect, test } from 'vitest';
import { attemptsFromAddressKey, blockKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { DAY_MS, HOUR_MS } from '#lib/time';
import { openInstance } from './operator.ts';

const it = await openInstance();
const { run, json, table } = it;

const HERE = '192.0.2.7';
const NETWORK = '2001:db8:0:1::/64';
beforeEach(async () => {
  for (const address of [HERE, NETWORK, '10.0.0.7']) await remove(table, blockKey(address));
});

const block = (...args: string[]) => json(['login', 'block', ...args]);

/** The end of a block, as the next login from its address finds it. */
const endOf = async (address: string) => (await get(table, attemptsFromAddressKey(address)))?.blocked_until;

test.each([
  [[], DAY_MS],
  [['--until', '2h'], 2 * HOUR_MS],
  [['--until', '400d'], 400 * DAY_MS],
])('login block %j blocks an address for %i ms, and says until when', async (options, duration) => {
  const before = Date.now();
  const { code, answer } = await block(HERE, ...options);
  expect(code).toBe(0);
  const end = Date.parse(answer.blocked_until);
  expect(answer).toEqual({ address: HERE, blocked_until: new Date(end).toISOString(), changed: true });
  expect(end - before).toBeGreaterThanOrEqual(duration);
  expect(end - Date.now()).toBeLessThanOrEqual(duration);
  expect(await endOf(HERE)).toBe(end);
  expect(it.audited()).toMatchObject([
    {
      ...{ action: 'admin login block', target: null, outcome: 'ok', changed: true },
      details: { address: HERE, until: answer.blocked_until },
    },
  ]);
});

test.each([
  [
    '2001:db8:0:1::7',
    NETWORK,
    ['all addresses of this /64 are blocked, since one client may use each of them'],
  ],
  ['10.0.0.7', '10.0.0.7', ['no client on the internet has this address: compare the gateway log']],
  ['::ffff:192.0.2.7', HERE, undefined],
  [' 192.0.2.7/32​', HERE, undefined],
])('login block of %j blocks %s, and reports what else it blocks', async (text, address, notes) => {
  const { code, answer } = await block(text);
  expect(code).toBe(0);
  expect([answer.address, answer.notes]).toEqual([address, notes]);
});

test.each([
  [['192.0.2.0/24'], /Expected one IPv4 address, or an IPv6 address or its \/64/],
  [['2001:db8::/48'], /Expected one IPv4 address/],
  [['office'], /Expected one IPv4 address/],
  [[HERE, '--until', '2020-01-01'], /--until is not a time ahead/],
  [[HERE, '--until', 'tomorrow'], /ISO 8601, or a time ahead/],
])('login block %j is refused as wrong usage, and blocks nothing', async (args, message) => {
  const { code, stderr } = await run(['login', 'block', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect((await json(['login', 'blocks'])).answer).toEqual([]);
});

test('login blocks lists what is blocked, by whom and until when; login unblock ends it', async () => {
  await block(HERE, '--until', '1h');
  const { answer } = await block(HERE, '--until', '2h');
  await block('2001:db8:0:1::9');
  const { stdout } = await run(['login', 'blocks']);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(new RegExp(`^${HERE}  ${answer.blocked_until}  \\S+Z  operator:`));
  expect(lines[1]).toMatch(`${NETWORK}  `);
  expect((await json(['login', 'unblock', HERE])).answer).toEqual({ address: HERE, changed: true });
  expect(await endOf(HERE)).toBeUndefined();
  const { code, stderr } = await run(['login', 'unblock', HERE]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`address_not_blocked: ${HERE} is not blocked`)]);
  expect((await json(['login', 'unblock', '2001:db8:0:1::ffff'])).code).toBe(0);
  expect((await run(['login', 'blocks'])).stderr).toContain('(none)');
});
