import type { Token } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { DAYS_AHEAD } from '#lib/item/token';
import { foldCase } from '#lib/text/fold-case';
import { DAY_MS, parseTime } from '#lib/time';

/** Days without a use after which a credential needs attention. */
export const UNUSED_DAYS = 90;

const [ENDING_DAYS] = DAYS_AHEAD;

/** The present, with which a concern compares a token. */
export interface Present {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Lower-cased usernames of the administrators. */
  readonly administrators: ReadonlySet<string>;
}

interface Concern {
  readonly label: string;
  /** The next step, as a sentence. */
  readonly next: string;
  readonly isOf: (token: Token, present: Present) => boolean;
}

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
export const CONCERNS: Readonly<Record<string, Concern>> = {
  maker: {
    label: 'Made by a former administrator',
    next: 'The person who made a token may have kept its secret. Rotate it: its program needs the new secret.',
    isOf: isMakerDemoted,
  },
  ending: {
    label: `Ends within ${ENDING_DAYS} days`,
    next: 'Its program is refused from then on, and a rotation keeps the end. Create another token in time.',
    isOf: ({ token_expires_at: end }, { now }) => end !== null && parseTime(end) - now < ENDING_DAYS * DAY_MS,
  },
  unused: {
    label: `Unused for ${UNUSED_DAYS} days`,
    next: 'No program seems to need it. Ask its owner, then delete it.',
    isOf: ({ token_used_at }, { now }) => isUnused(token_used_at, now),
  },
  never: {
    label: 'Never used',
    next: 'Nothing has used it since it was created or rotated. Ask its owner, then delete it.',
    isOf: isNeverUsed,
  },
  endless: {
    label: 'Without an end',
    next: 'A lost secret works until somebody notices. Create another token that ends, then delete this one.',
    isOf: ({ token_expires_at }) => token_expires_at === null,
  },
};

/** The concerns about a token, by their names. */
export const concernsOf = (token: Token, present: Present) =>
  Object.entries(CONCERNS).flatMap(([name, { isOf }]) => (isOf(token, present) ? [name] : []));
