import { InvalidArgumentError, type Command as Parser } from 'commander';
import { BLOCK_MS, blockAddress, blocksInEffect, unblockAddress } from '#lib/login/blocks';
import { isInternal, singleNetwork } from '#lib/network/addresses';
import { trimmed } from '#lib/text/trimmed';
import { HOUR_MS, isoOf } from '#lib/time';
import type { Command } from './command.ts';
import type { OperatorNeed } from './operator-needs.ts';
import { option } from './options.ts';
import { listed } from './output.ts';
import { Refusal } from './refusal.ts';
import { AHEAD, ahead } from './times.ts';

/** They name no attempts: with this policy, nobody counts or forgets any. */
const WRITES: readonly OperatorNeed[] = [
  'transaction:UpdateItem:ATTEMPTS:block',
  'transaction:UpdateItem:BLOCKS',
];

/** The network that an argument names. @throws InvalidArgumentError */
function networkOf(text: string): string {
  const network = singleNetwork(trimmed(text));
  if (network === undefined)
    throw new InvalidArgumentError('Expected one IPv4 address, or an IPv6 address or its /64.');
  return network;
}

const takingAddress = (parser: Parser) => {
  parser.registeredArguments[0]?.argParser(networkOf);
  return parser;
};

/** What else an operator has to know about a block. */
function notesOn(network: string): string[] {
  const isWhole = network.includes('/');
  return [
    ...(isWhole ? ['all addresses of this /64 are blocked, since one client may use each of them'] : []),
    ...(isInternal(network) ? ['no client on the internet has this address: compare the gateway log'] : []),
  ];
}

export const block: Command = {
  name: 'login block <address>',
  description: `refuse logins, codes and passkeys from an address or a /64, for ${BLOCK_MS / HOUR_MS} hours or until --until`,
  options: [option('--until <time>', `end of the block, also of an earlier one: ${AHEAD}`, ahead)],
  faultOf: ({ until }: { until?: number }) =>
    until !== undefined && until <= Date.now() ? '--until is not a time ahead' : undefined,
  configure: takingAddress,
  group: 'support',
  inputs: {},
  needs: [WRITES],
  audited: true,
  run: async ({ runtime, actor, note }, address: string, options: { until?: number }) => {
    const { until = runtime.now() + BLOCK_MS } = options;
    const blocked = { address, blocked_until: isoOf(until) };
    note({ address, until: blocked.blocked_until });
    await blockAddress(runtime, address, until, actor);
    const notes = notesOn(address);
    return { ...blocked, changed: true, ...(notes.length > 0 && { notes }) };
  },
};

export const blocks: Command = {
  name: 'login blocks',
  description: 'list the addresses that are blocked at the moment, until when and by whom',
  group: 'support',
  inputs: { table: 'a list is wrong' },
  needs: ['table:Query:BLOCKS'],
  audited: false,
  run: async ({ runtime }) => listed(await blocksInEffect(runtime)),
};

export const unblock: Command = {
  name: 'login unblock <address>',
  description: 'end the block of an address or a /64 at once',
  configure: takingAddress,
  group: 'support',
  inputs: {},
  needs: [WRITES],
  audited: true,
  run: async ({ runtime, note }, address: string) => {
    note({ address });
    if (!(await unblockAddress(runtime, address)))
      throw new Refusal('address_not_blocked', `${address} is not blocked: "login blocks" lists all blocks`);
    return { address, changed: true };
  },
};
