import type { Account } from '../item/account.ts';
import type { LoginAttempts } from '../item/login-attempts.ts';
import * as keys from '../table/keys.ts';
import { CODES_PER_PAIR, PER_ADDRESS, PER_NAME, PER_PAIR } from './attempts.ts';
import type { AttemptLists } from './places.ts';

/** The keys of the lists of a pair and an address; then that of the name, or for a code the one that remembers a success. */
export const listKeys = (username: string, source: string, withCode: boolean) =>
  withCode
    ? ([
        keys.codeAttemptsOfPairKey(username, source),
        keys.codeAttemptsFromAddressKey(source),
        keys.attemptsOfPairKey(username, source),
      ] as const)
    : ([
        keys.attemptsOfPairKey(username, source),
        keys.attemptsFromAddressKey(source),
        keys.attemptsOnNameKey(username),
      ] as const);

type Three<T> = readonly [T, T, T];

/** The lists of {@link listKeys} with their items as read. */
export function listsOf(
  [pairKey, addressKey, thirdKey]: ReturnType<typeof listKeys>,
  [pair, address, third]: Three<LoginAttempts | undefined>,
  account: Account | undefined,
  withCode: boolean,
): AttemptLists {
  const own = { clearedAt: account?.failures_cleared_at ?? 0, stamp: account?.stamp };
  const other = { ...own, key: thirdKey, item: third };
  return {
    ofPair: { ...own, key: pairKey, limit: withCode ? CODES_PER_PAIR : PER_PAIR, item: pair },
    // Unlocking an account clears its own failures only.
    fromAddress: { key: addressKey, limit: PER_ADDRESS, item: address, clearedAt: 0 },
    ...(withCode ? { remembers: { ...other, limit: PER_PAIR } } : { onName: { ...other, limit: PER_NAME } }),
  };
}
