import { BlockList, isIP, SocketAddress } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Whether an address lies in one of the blocks of its family; false for a text that is no address. An IPv4 address in
 * IPv6 (RFC 4291 section 2.5.5.2) counts as IPv4.
 *
 * @param blocks IPv4 or IPv6 addresses, alone or as CIDR blocks (RFC 4632)
 */
export function isWithin(blocks: readonly string[], address: string): boolean {
  if (isIP(address) === 0) return false;
  const plain = unmapped(address);
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', prefix] = block.split('/');
    if (familyOf(network) !== familyOf(plain)) continue;
    if (prefix === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list.check(plain, familyOf(plain));
}

/** An address in its shortest notation; an IPv4 address in IPv6 as IPv4. */
const unmapped = (address: string) => shortest(address).replace(/^::ffff:(?=\d+\.)/, '');

const bitsOf = (network: string) => (isIP(network) === 6 ? 128 : 32);

/**
 * An address or a CIDR block in its stored form: the first address of the block in the notation of RFC 5952, and the prefix
 * unless it covers all bits. Undefined for anything else, such as addresses with a zone and IPv4 addresses in IPv6.
 */
export function canonicalBlock(text: string): string | undefined {
  const [, address = '', prefix] = /^([\da-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? [];
  const bits = bitsOf(address);
  const kept = Number(prefix ?? bits);
  if (isIP(address) === 0 || kept > bits) return undefined;
  const network = shortest(address);
  if (bits === 128 && network.includes('.')) return undefined;
  return blockOf(network, kept);
}

/**
 * The part of a source address that a limit counts: the /64 of an IPv6 address, since one client may use all of its
 * addresses; an IPv4 address, also in IPv6, as IPv4. A text that is no address stays.
 */
export function sourceNetwork(address: string): string {
  if (isIP(address) === 0) return address;
  const plain = unmapped(address);
  return blockOf(plain, Math.min(bitsOf(plain), 64));
}

/**
 * The {@link sourceNetwork} of a text that names a whole one: an address, an IPv4 address with `/32` or an IPv6 address with
 * `/64`. Undefined for anything else, such as larger blocks and addresses with a zone.
 */
export function singleNetwork(text: string): string | undefined {
  const [, address = '', prefix] = /^([\da-f.:]{2,45})(?:\/(\d+))?$/i.exec(text) ?? [];
  if (isIP(address) === 0) return undefined;
  const network = sourceNetwork(address);
  const bits = Math.min(bitsOf(network.split('/')[0] as string), 64);
  return prefix === undefined || Number(prefix) === bits ? network : undefined;
}

/** Blocks that no client on the internet has as its source: RFC 1918, 3927, 4193, 4291, 6598 and 1122. */
const INTERNAL = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16', '127.0.0.0/8'],
  ...['::/64', 'fc00::/7', 'fe80::/10'],
];

/** Whether an address or a block is private, shared, link-local or of the machine itself. */
export const isInternal = (network: string) => isBlockWithin(INTERNAL, network);

/**
 * Blocks of IPv4 that are not public, besides {@link INTERNAL}: RFC 1122, 5736, 5737, 7526, 2544, 5771 and 1112, and within
 * 2000::/3 of IPv6 those for documentation (RFC 3849, 9637) and those that contain an IPv4 address (RFC 4380, 3056).
 */
const NOT_PUBLIC = [
  ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '2001:db8::/32', '3fff::/20', '2001::/23', '2002::/16'],
];

/** Whether an address is one on the public internet; false for a text that is no address. */
export const isPublic = (address: string) =>
  isWithin(['0.0.0.0/0', '2000::/3'], address) && !isWithin([...INTERNAL, ...NOT_PUBLIC], address);

/** The block of an address in its shortest notation, with a number of bits. */
function blockOf(network: string, kept: number): string {
  const bits = bitsOf(network);
  const [parts, radix, size, separator] =
    bits === 128 ? ([groupsOf(network), 16, 16, ':'] as const) : ([network.split('.'), 10, 8, '.'] as const);
  const masked = parts.map((part, at) => {
    const free = size - Math.min(Math.max(kept - at * size, 0), size);
    return ((Number.parseInt(part, radix) >> free) << free).toString(radix);
  });
  return `${shortest(masked.join(separator))}${kept === bits ? '' : `/${kept}`}`;
}

const shortest = (address: string) => new SocketAddress({ address, family: familyOf(address) }).address;

/** The eight groups of an IPv6 address; an empty one is 0. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':'));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** Whether a block lies in one of others, each in its canonical form. */
export function isBlockWithin(blocks: readonly string[], block: string): boolean {
  const prefixOf = (one: string) => Number(one.split('/')[1] ?? bitsOf(one));
  const larger = blocks.filter((one) => prefixOf(one) <= prefixOf(block));
  return isWithin(larger, block.split('/')[0] as string);
}
