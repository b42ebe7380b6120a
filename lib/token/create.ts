import { countTokens } from '../account/tokens/count.ts';
import { giveName, isHeld, readName } from '../account/tokens/names.ts';
import { removeTokens } from '../account/tokens/remove.ts';
import { checkMayEnd, isNarrow, type Requester } from '../account/within.ts';
import { bestEffort } from '../async/best-effort.ts';
import { PATIENT } from '../async/retry.ts';
import type { Actor, EventDefinition, Occurrence } from '../event/event.ts';
import { token_create } from '../event/token-events.ts';
import type { PlainCode } from '../failure/codes.ts';
import { Failure } from '../failure/failure.ts';
import type { Note } from '../idempotency/once.ts';
import { type Account, generationOf } from '../item/account.ts';
import { asStored, type TokenItem, tokenIn } from '../item/token.ts';
import { type Announcement, type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/expressions.ts';
import { tokenIndex, tokenKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { ConditionFailed } from '../table/write.ts';
import { withoutZone } from '../time.ts';
import { endSecret, type Known, knownAfter } from './end-secret.ts';
import { type CreatedToken, createdToken, LOGIN_TOKEN } from './record.ts';
import { remindersOf } from './reminders.ts';
import { generateApiToken, hashApiToken, secretId } from './secret.ts';
import type { Terms } from './terms.ts';

/**
 * Creates an API token.
 *
 * @returns the record with the secret, which cannot be read again
 * @throws Failure `token_exists`, `token_limit`, `account_cancelled`
 */
export const createToken = (
  runtime: Announcing,
  owner: Account,
  name: string,
  actor: Actor,
  terms: Terms = {},
  note?: Note,
) => putToken(runtime, { owner, held: undefined }, name, actor, { terms, taken: 'token_exists', note });

/**
 * Creates the owner's token named `logintoken`, or replaces it.
 *
 * @param requester credential of the request; it replaces no token that is wider
 * @throws Failure `token_limit`, `account_cancelled`, `forbidden`; `token_rotated` if a rotation has replaced the secret of
 *   the request
 */
export const createLoginToken = async (
  runtime: Announcing,
  owner: Account,
  actor: Actor,
  terms: Terms = {},
  { limits, secret }: Requester = {},
) => {
  const held = await readName(runtime.table, owner, LOGIN_TOKEN);
  return putToken(runtime, { owner, held }, LOGIN_TOKEN, actor, { terms, secret, limits });
};

interface Request extends Requester {
  /** Event of the change; by default that of a creation. */
  readonly kind?: EventDefinition<'account', string>;
  readonly terms: Terms;
  readonly createdBy?: string;
  /** Failure if the name is not held as read; by default the token that holds it is replaced. */
  readonly taken?: PlainCode;
  /** End of the secret that is replaced, in milliseconds since the epoch; by default it ends at once. */
  readonly formerUntil?: number | undefined;
  readonly note?: Note | undefined;
}

/** Creates a token with its event. It replaces the token that holds its name, unless that has expired. */
export async function putToken(
  runtime: Announcing,
  read: Known,
  name: string,
  actor: Actor,
  { kind = token_create, taken, limits = {}, secret, note, ...request }: Request,
): Promise<CreatedToken> {
  const occurrence = occurrenceBy(runtime, actor);
  const announcement = announce(runtime, kind, occurrence, name);
  return optimistically<Known, CreatedToken>(
    read,
    async (known) => {
      // All tokens were revoked meanwhile.
      if (taken && read.held && !known.held) throw new Failure('token_not_found');
      const { former } = known.held ?? {};
      // During an overlap; without one, the guard refuses the secret.
      if (former && secretId(former.sha256) === secret) throw new Failure('token_rotated');
      if (isNarrow(limits) && isHeld(known.held, runtime.now()))
        checkMayEnd(tokenIn(await get(runtime.table, tokenKey(known.held.sha256))) ?? {}, limits);
      const { token, writes, replaced } = newToken(runtime, known, name, occurrence, request, announcement);
      const named = writes.names.map((write) => (taken ? { ...write, otherwise: taken } : write));
      // The first of several failed conditions decides: that of the note, then that of the name.
      const all = [...(note ? [note(token.value)] : []), ...named, ...writes.others];
      const failed = await commitWithEvents(runtime, all, announcement.events(known.owner), PATIENT);
      if (failed) return new ConditionFailed(knownAfter(known, failed));
      await bestEffort(removeTokens(runtime.table, replaced));
      return token;
    },
    PATIENT.attempts,
  );
}

function newToken(
  runtime: Runtime,
  { owner, held, until }: Known,
  name: string,
  { at, by }: Occurrence,
  { terms: { description, ...limits }, createdBy = by, formerUntil }: Request,
  announcement: Announcement<Account>,
) {
  const now = runtime.now();
  const secret = generateApiToken(runtime.random);
  const sha256 = hashApiToken(secret);
  const { expires_at } = limits;
  const expiry = expires_at === undefined ? {} : { expires_at, ttl: Math.ceil(expires_at / 1000) };
  const generation = generationOf(owner);
  const item: TokenItem = {
    username: owner.username,
    userid: owner.id,
    name,
    ...(generation > 0 && { of_generation: generation }),
    token_created_at: withoutZone(at),
    token_created_by: createdBy,
    last4: secret.slice(-4),
    description,
    ...limits,
    ...expiry,
  };
  const before = isHeld(held, now) ? held : undefined;
  const end = before && endSecret(runtime, owner, before, until, formerUntil);
  const former =
    before && formerUntil !== undefined ? { former: { sha256: before.sha256, until: formerUntil } } : {};
  const attributes = { ...tokenIndex(owner.username, name), ...asStored(item) };
  const change = { created: limits, removed: before ? [before] : [], ending: end?.ending };
  const writes = {
    names: giveName(owner, name, { sha256, ...expiry, ...former }, before, now),
    others: [
      countTokens(owner, change, announcement, now),
      { Update: { Key: tokenKey(sha256), ...assign(attributes, { PK: undefined }) } },
      ...(end?.writes ?? []),
      ...remindersOf(runtime, item),
    ],
  };
  return { token: createdToken(item, secret), writes, replaced: end?.ended ?? [] };
}
