/** What remains of an erased account: one row under the keyed hash of its username, and one under its ID. */
export interface Erased {
  readonly erased_id: string;
  /** ISO 8601, UTC, ends in Z. */
  readonly erased_at: string;
  /** Username of the administrator, or an operator such as `operator:ada`. */
  readonly erased_by: string;
  /** In the row of the name: time at which an operator gave the name to another account. */
  readonly name_reused_at?: string;
}

/**
 * An erasure that is not complete: how to find what is left. No attribute has the name of one of an account: DynamoDB may
 * judge a transaction by the attributes of all its items together.
 */
export interface Erasure extends Pick<Erased, 'erased_at'> {
  /** Username as created. */
  readonly erasing_username: string;
  /** The `token_generation` of the account, 0 where absent. */
  readonly erasing_generation: number;
  /** IDs of its passkeys. */
  readonly erasing_passkeys: readonly string[];
  /** Names of its trusts; absent without one. */
  readonly erasing_trusts?: readonly string[] | undefined;
  /** Its `cancelled_at`. */
  readonly erasing_cancellation?: string | undefined;
}

const ERASED = 'erased:';

/** The name of an erased account wherever others name it, stable for the account; no username has a colon. */
export const pseudonymOf = (id: string) => `${ERASED}${id}`;

/** The ID of the account in a pseudonym. */
export const idOf = (pseudonym: string) => pseudonym.slice(ERASED.length);

/** Whether a name stands for an erased account. */
export const isPseudonym = (name: string) => name.startsWith(ERASED);

/** Whether a text has the form of the ID of an account, which a username may have, too. */
export const isIdLike = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
