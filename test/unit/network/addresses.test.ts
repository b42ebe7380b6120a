import { expect, test } from 'vitest';
import {
  canonicalBlock,
  isBlockWithin,
  isInternal,
  isPublic,
  isWithin,
  singleNetwork,
  sourceNetwork,
} from '#lib/network/addresses';

test.each<[string, string, boolean]>([
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
  // A dual-stack gateway may show an IPv4 address inside an IPv6 one.
  ['192.0.2.0/24', '::ffff:192.0.2.9', true],
  ['192.0.2.0/24', '::ffff:c000:209', true],
  ['192.0.2.0/24', '2001:db8::1', false],
  ['::/0', '192.0.2.1', false],
  ['::/0', '::ffff:192.0.2.1', false],
  ['::/0', '::ffff:c000:201', false],
  ['::/0', '2001:db8::1', true],
  ['192.0.2.0/24', '', false],
  ['0.0.0.0/0', 'no address', false],
])('isWithin of the block %s finds %j %j', (block, address, expected) => {
  expect(isWithin([block], address)).toBe(expected);
  expect(isWithin(['198.51.100.1', block], address), 'next to another block').toBe(expected);
});

test('isWithin of no block finds nothing', () => {
  expect(isWithin([], '192.0.2.1')).toBe(false);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['192.0.2.7/24', '192.0.2.0/24'],
  ['198.51.255.255/9', '198.0.0.0/9'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::01', '2001:db8::1'],
  ['2001:db8:ffff:ffff::1/33', '2001:db8:8000::/33'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['::1/0', '::/0'],
  ['::', '::'],
])('canonicalBlock of %s is %s', (text, expected) => {
  expect(canonicalBlock(text)).toBe(expected);
  expect(canonicalBlock(expected)).toBe(expected);
});

test.each([
  ...['', 'localhost', '192.0.2', '192.0.2.256', '192.0.2.01', '192.0.2.1/33', '192.0.2.1/', '192.0.2.1/08'],
  ...['192.0.2.1/-1', '192.0.2.1/24/8', ' 192.0.2.1', '192.0.2.1\n', '2001:db8::/129', '2001:db8::g'],
  ...['fe80::1%eth0', '::ffff:192.0.2.1', '::ffff:c000:201/120', '[::1]', '::1::', '1'.repeat(300)],
])('canonicalBlock refuses %j', (text) => {
  expect(canonicalBlock(text)).toBeUndefined();
});

test.each<[string, string, boolean]>([
  ['192.0.2.0/24', '192.0.2.0/25', true],
  ['192.0.2.0/24', '192.0.2.0/24', true],
  ['192.0.2.0/24', '192.0.2.9', true],
  ['192.0.2.0/24', '192.0.2.0/23', false],
  ['192.0.2.0/24', '0.0.0.0/0', false],
  ['192.0.2.9', '192.0.2.9', true],
  ['192.0.2.9', '192.0.2.8/31', false],
  ['2001:db8::/32', '2001:db8:1::/48', true],
  ['2001:db8::/32', '2001::/16', false],
  ['0.0.0.0/0', '::/0', false],
])('isBlockWithin of %s finds %s %j', (block, inner, expected) => {
  expect(isBlockWithin([block, '198.51.100.1'], inner)).toBe(expected);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:C000:207', '192.0.2.7'],
  ['2001:db8:0:1:2::3', '2001:db8:0:1::/64'],
  ['2001:DB8::1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8::', '2001:db8::/64'],
  ['::192.0.2.7', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['no address', 'no address'],
])('sourceNetwork of %s is %s', (address, expected) => {
  expect(sourceNetwork(address)).toBe(expected);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1:0:0:0:7/64', '2001:db8:0:1::/64'],
  ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
])('singleNetwork of %s is %s, by which its attempts are counted', (text, expected) => {
  expect(singleNetwork(text)).toBe(expected);
  expect(sourceNetwork(text.split('/')[0] as string)).toBe(expected);
});

test.each([
  ...['', 'localhost', '192.0.2', '192.0.2.0/24', '192.0.2.7/', '192.0.2.7/32/32', '192.0.2.7/64'],
  ...['2001:db8::/32', '2001:db8::7/128', '2001:db8::7/65', '::ffff:192.0.2.7/64', 'fe80::1%eth0'],
  ...['[::1]', ' 192.0.2.7', '192.0.2.7,192.0.2.8'],
])('singleNetwork refuses %j', (text) => {
  expect(singleNetwork(text)).toBeUndefined();
});

test.each<[boolean, string[]]>([
  [true, ['10.1.2.3', '172.31.0.1', '192.168.0.1', '100.64.0.1', '169.254.1.1', '127.0.0.1']],
  [true, ['::/64', 'fd00:1::/64', 'fe80::/64']],
  [false, ['192.0.2.1', '172.32.0.1', '100.128.0.1', '2001:db8::/64']],
])('isInternal is %s for each of %j', (expected, networks) => {
  expect(networks.filter((network) => isInternal(network) !== expected)).toEqual([]);
});

test.each<[boolean, string[]]>([
  [true, ['8.8.8.8', '192.0.3.1', '198.20.0.1', '223.255.255.255', '2606:4700::1', '::ffff:8.8.8.8']],
  [false, ['10.1.2.3', '100.64.0.1', '169.254.169.254', '127.0.0.1', '0.0.0.0', '192.0.0.1', '198.19.0.1']],
  [false, ['192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1', '255.255.255.255']],
  [false, ['::', '::1', 'fd00::1', 'fe80::1', 'ff02::1', '64:ff9b::808:808', '2001:db8::1', '3fff::1']],
  [
    false,
    ['2001::1', '2002:808:808::1', '::ffff:10.0.0.1', '::ffff:7f00:1', 'fe80::1%eth0', 'localhost', ''],
  ],
])('isPublic is %s for each of %j', (expected, networks) => {
  expect(networks.filter((network) => isPublic(network) !== expected)).toEqual([]);
});
