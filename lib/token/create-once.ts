import type { Actor } from '../event/account-event.ts';
import { Failure } from '../failure.ts';
import { type Keyed, type Note, once } from '../idempotency/once.ts';
import type { Repeatable } from '../idempotency/seal.ts';
import type { Account } from '../item/account.ts';
import { isLive, type Limits } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { tokenKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import { createToken } from './create.ts';
import { type CreatedToken, createdToken } from './record.ts';
import { hashApiToken } from './secret.ts';
import { type RequestedTerms, termsOf } from './terms.ts';

/** A validated request for a token. */
interface Requested {
  readonly actor: Actor;
  readonly limits: Limits;
  readonly params: { readonly token_name: string };
  readonly body: RequestedTerms;
}

/** Creates an API token as requested, once for each `Idempotency-Key`. */
export function createRequested(
  runtime: Announcing,
  owner: Account,
  { actor, limits, params: { token_name: name }, body }: Requested,
  repeatable: Repeatable | undefined,
) {
  const asked = Object.keys({ ...body, ...limits }).length > 0 ? JSON.stringify([body, limits]) : undefined;
  return tokenOnce(runtime, owner, name, repeatable && { ...repeatable, asked }, (note) =>
    createToken(runtime, owner, name, actor, termsOf(runtime, owner, body, limits), note),
  );
}

/**
 * Creates an API token, or returns the token that the same request has created within a day, whatever the session.
 *
 * @param create creates the token, or its new secret, together with the note
 * @throws Failure those of `create`; `idempotency_key_reused` if the key was used for another request, `token_deleted` if
 *   the token was deleted
 */
export const tokenOnce = (
  runtime: Announcing,
  { username }: Account,
  name: string,
  request: Omit<Keyed, 'username' | 'name'> | undefined,
  create: (note?: Note) => Promise<CreatedToken>,
) =>
  once(runtime, request && { ...request, username, name }, create, async (secret) => {
    const item = await get(runtime.table, tokenKey(hashApiToken(secret)));
    if (!item || !isLive(item, runtime.now())) throw new Failure('token_deleted');
    const { token_used_at: _, ...unused } = item;
    return createdToken(unused, secret);
  });
