import type { Token } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { DAYS_AHEAD } from '#lib/item/token';
import { foldCase } from '#lib/text/fold-case';
import { DAY_MS, HOUR_MS, parseTime } from '#lib/time';

/** Days without a use after which a credential needs attention. */
export const UNUSED_DAYS = 90;

/** Days after which a token that nothing has used needs attention: its program may not be ready earlier. */
export const UNTRIED_DAYS = 7;

/** Days before its end in which a token needs attention. */
export const [ENDING_DAYS] = DAYS_AHEAD;

/** The present, with which a concern compares a token. */
export interface Present {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Lower-cased usernames of the administrators. */
  readonly administrators: ReadonlySet<string>;
}

/** Whether something was so an hour ago: nobody is bothered by what someone is just doing. */
export const isSettled = (since: string, now: number) => now - parseTime(since) >= HOUR_MS;

/** Whether a credential was last used, or created if it was never used, so many days ago. */
export const isUnused = (usedAt: string, now: number) => now - parseTime(usedAt) >= UNUSED_DAYS * DAY_MS;

/** Whether a token was never used since its creation or last rotation. */
export const isNeverUsed = (token: Token) => token.token_used_at === token.token_created_at;

/** Whether the creator is, or was, an account, other than the owner, that is no administrator. Usernames have no colon. */
function isMakerDemoted({ username, token_created_by }: Token, { administrators }: Present) {
  const maker = foldCase(token_created_by);
  const isPerson = !maker.includes(':') || isPseudonym(maker);
  return isPerson && maker !== foldCase(username) && !administrators.has(maker);
}

/** Why an API token needs attention, the most urgent first. */
export const CONCERNS = {
  maker: isMakerDemoted,
  ending: ({ token_expires_at: end }, { now }) => end !== null && parseTime(end) - now < ENDING_DAYS * DAY_MS,
  unused: ({ token_used_at }, { now }) => isUnused(token_used_at, now),
  never: (token, { now }) =>
    isNeverUsed(token) && now - parseTime(token.token_created_at) >= UNTRIED_DAYS * DAY_MS,
  endless: ({ token_expires_at }) => token_expires_at === null,
} as const satisfies Readonly<Record<string, (token: Token, present: Present) => boolean>>;

export type Concern = keyof typeof CONCERNS;

/** The concerns about a token; none in its first hour. */
export const concernsOf = (token: Token, present: Present): readonly Concern[] =>
  isSettled(token.token_created_at, present.now)
    ? (Object.keys(CONCERNS) as Concern[]).filter((name) => CONCERNS[name](token, present))
    : [];
