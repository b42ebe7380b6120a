import { expect, test } from 'vitest';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { countTokens, MAX_TOKENS } from '#lib/account/tokens/count';
import { readNames } from '#lib/account/tokens/names';
import { type Account, liveTokens } from '#lib/item/account';
import { tokenKey, tokenNameKey } from '#lib/table/keys';
import { remove, transact } from '#lib/table/write';
import { DAY_MS, HOUR_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { announceTokens } from '#lib/token/expiring';
import { browseTokens, listTokens } from '#lib/token/list';
import { revokeAllTokens, revokeTokens, tokensOf, tokensSince } from '#lib/token/revoke';
import { hashApiToken } from '#lib/token/secret';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';

logLines();
const { table, clock, runtime, account, stored } = await openTestTable({
  Events: 'token_expiring',
});
const root = by('root');
const END = NOON + 1500;
const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** The names of expired tokens, and the items of these that time to live has removed. */
interface Situation {
  readonly expired: string;
  readonly removed: 'nothing' | 'tokens' | 'names';
}
const SITUATIONS: Situation[] = [
  { expired: 'a', removed: 'nothing' },
  { expired: 'c', removed: 'tokens' },
  { expired: 'e', removed: 'nothing' },
  { expired: 'ace', removed: 'nothing' },
  { expired: 'ace', removed: 'names' },
  { expired: 'bcd', removed: 'nothing' },
  { expired: 'bcd', removed: 'tokens' },
  { expired: 'abcde', removed: 'nothing' },
];

/** An account with a token of each name, of which some have just expired. */
async function arrange({ expired, removed }: Situation) {
  const created = await account();
  for (const name of NAMES) {
    const isExpired = expired.includes(name);
    const terms = isExpired ? { expires_at: END } : {};
    const { value } = await createToken(runtime, created, name, root, terms);
    if (isExpired && removed === 'tokens') await remove(table, tokenKey(hashApiToken(value)));
    if (isExpired && removed === 'names') await remove(table, tokenNameKey(created.username, name));
  }
  clock.time = END;
  return { owner: await stored(created), live: NAMES.filter((name) => !expired.includes(name)) };
}

const tokensFound = async (owner: Account) => {
  const own = (tokens: readonly { readonly username: string; readonly name: string }[]) =>
    tokens.filter(({ username }) => username === owner.username).map(({ name }) => name);
  return {
    listTokens: own((await listTokens(runtime, owner)).items),
    browseTokens: own((await browseTokens(runtime, {})).items),
    tokensOf: own((await tokensOf(runtime, owner)).found),
    tokensSince: own((await tokensSince(runtime, 0)).found),
    liveTokens: liveTokens(await stored(owner), clock.time),
  };
};
const found = (names: readonly string[]) => ({
  ...{ listTokens: names, browseTokens: names, tokensOf: names, tokensSince: names },
  liveTokens: names.length,
});

test.each(SITUATIONS)(
  'expired tokens are in no listing and leave their names free when $expired have expired (removed: $removed)',
  async (situation) => {
    const { owner, live } = await arrange(situation);
    expect(await tokensFound(owner)).toEqual(found(live));
    const taken: string[] = [];
    for (const name of NAMES)
      await createToken(runtime, await stored(owner), name, root).catch(({ code }) =>
        taken.push(`${code} ${name}`),
      );
    expect(taken).toEqual(live.map((name) => `token_exists ${name}`));
    expect(await tokensFound(owner)).toEqual(found(NAMES));
  },
);

/** Removals of all tokens of an account; each returns the number of removed live tokens. */
const REMOVALS: Readonly<Record<string, (owner: Account) => Promise<number>>> = {
  revokeAllTokens: async (owner) => (await revokeAllTokens(runtime, owner, root)).data.revoked,
  revokeTokens: async (owner) => (await revokeTokens(runtime, await tokensOf(runtime, owner), root)).revoked,
  reactivateAccount: async (owner) => {
    const cancelled = await setAttributes(table, owner, { isactive: false });
    const answer = await reactivateAccount(runtime, cancelled, root, { revoke_tokens: true });
    expect(await readNames(table, owner), 'names of expired tokens too').toEqual([]);
    return answer.tokens_revoked;
  },
};

test.each(Object.keys(REMOVALS).flatMap((by) => SITUATIONS.map((situation) => ({ by, ...situation }))))(
  '$by removes and counts all live tokens when $expired have expired (removed: $removed)',
  async ({ by, ...situation }) => {
    const { owner, live } = await arrange(situation);
    expect(await REMOVALS[by]?.(owner)).toBe(live.length);
    expect(await tokensFound(owner)).toEqual(found([]));
  },
);

test.each(['a', 'c', 'e', 'ace', 'bcd'])(
  'announceTokens announces the other tokens when %s were deleted or have expired',
  async (gone) => {
    const owner = await account();
    const ends = new Map(NAMES.map((name, n) => [name, NOON + 15 * DAY_MS + n]));
    for (const [name, expires_at] of ends) await createToken(runtime, owner, name, root, { expires_at });
    // Every second one is deleted; of the others, time to live has removed the name.
    for (const [n, name] of [...gone].entries())
      if (n % 2) await remove(table, tokenNameKey(owner.username, name));
      else await deleteToken(runtime, await stored(owner), name, root);
    const announced: string[] = [];
    const publish = async (events: readonly { readonly detail: unknown }[]) => {
      announced.push(...events.map(({ detail }) => (detail as { token_name: string }).token_name));
      return [];
    };
    clock.time = NOON + DAY_MS + HOUR_MS;
    const tally = { announced: NAMES.length - gone.length, dropped: gone.length, left: 0 };
    expect(await announceTokens({ ...runtime, publish }, 'run-1')).toEqual(tally);
    expect(announced.sort()).toEqual(NAMES.filter((name) => !gone.includes(name)));
  },
);

interface Count {
  readonly what: string;
  /** The account before: all tokens, and the ends of those that have one. */
  readonly count: number;
  readonly ends: readonly number[];
  /** Ends of the removed tokens; undefined for one without. */
  readonly removed?: readonly (number | undefined)[];
  /** End of a new token. */
  readonly createdUntil?: number;
  readonly after: { readonly token_count: number; readonly token_ends: readonly number[] | undefined };
}
const [PAST, SOON, LATER] = [NOON, NOON + 1, NOON + 2];
const COUNTS: Count[] = [
  {
    what: 'a live token',
    count: 3,
    ends: [SOON, LATER],
    removed: [SOON],
    after: { token_count: 2, token_ends: [LATER] },
  },
  {
    what: 'one of two with an end',
    count: 2,
    ends: [SOON, SOON],
    removed: [SOON],
    after: { token_count: 1, token_ends: [SOON] },
  },
  {
    what: 'an expired token first',
    count: 4,
    ends: [PAST, SOON],
    removed: [PAST, SOON, undefined],
    after: { token_count: 1, token_ends: undefined },
  },
  {
    what: 'an expired token in between',
    count: 4,
    ends: [SOON, PAST],
    removed: [SOON, PAST, undefined],
    after: { token_count: 1, token_ends: undefined },
  },
  {
    what: 'an expired token last',
    count: 4,
    ends: [SOON, PAST],
    removed: [undefined, SOON, PAST],
    after: { token_count: 1, token_ends: undefined },
  },
  {
    what: 'a live token among expired ones',
    count: 5,
    ends: [PAST, SOON, PAST, LATER, PAST],
    removed: [LATER],
    after: { token_count: 1, token_ends: [SOON] },
  },
  {
    what: 'a token without an end among expired ones',
    count: 3,
    ends: [PAST, SOON],
    removed: [undefined],
    after: { token_count: 1, token_ends: [SOON] },
  },
  {
    what: 'no token, but a new one',
    count: 3,
    ends: [PAST, SOON],
    createdUntil: LATER,
    after: { token_count: 3, token_ends: [SOON, LATER] },
  },
  {
    what: 'the last room',
    count: MAX_TOKENS,
    ends: [SOON, PAST],
    createdUntil: LATER,
    after: { token_count: MAX_TOKENS, token_ends: [SOON, LATER] },
  },
];

test.each(COUNTS)(
  'countTokens is exact when it removes $what',
  async ({ count, ends, removed = [], createdUntil, after }) => {
    const owner = await account({ token_count: count, token_ends: ends });
    const change = {
      removed: removed.map((end) => (end === undefined ? {} : { expires_at: end })),
      created: createdUntil === undefined ? undefined : { expires_at: createdUntil },
    };
    expect(await transact(table, [countTokens(owner, change, undefined, NOON)])).toBeUndefined();
    const { token_count, token_ends } = await stored(owner);
    expect({ token_count, token_ends }).toEqual(after);
  },
);
