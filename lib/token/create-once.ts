import { withoutEnd } from '../account/within.ts';
import { Failure } from '../failure/failure.ts';
import { type Note, once, type Repeatable } from '../idempotency/once.ts';
import { type Account, generationOf } from '../item/account.ts';
import { type CredentialLimits, isLive, type TokenItem, tokenIn } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { isIndexed, tokenKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import { createToken } from './create.ts';
import { type CreatedToken, createdToken } from './record.ts';
import { hashApiToken } from './secret.ts';
import { type RequestedTerms, termsOf } from './terms.ts';

/** A validated request for a token, or for a new secret. */
export interface Requested<Body> extends Repeatable {
  readonly limits: CredentialLimits;
  readonly params: { readonly token_name: string };
  readonly body: Body;
}

/** Creates an API token as requested, once for each `Idempotency-Key`. */
export function createRequested(runtime: Announcing, owner: Account, request: Requested<RequestedTerms>) {
  const { actor, limits, params, body } = request;
  const { token_name: name } = params;
  // An end makes no other request: a rotation gives one to the former secret, which may repeat its requests until then.
  const own = withoutEnd(limits);
  const asked = Object.keys({ ...body, ...own }).length > 0 ? JSON.stringify([body, own]) : undefined;
  return tokenOnce(runtime, owner, request, { name, asked }, (note) =>
    createToken(runtime, owner, name, actor, termsOf(runtime, owner, body, limits), note),
  );
}

/**
 * Creates an API token, or returns the token that the same request has created within a day, whatever the session.
 *
 * @param create creates the token, or its new secret, together with the note
 * @param permit refuses a repeat by a failure of its own
 * @throws Failure those of `create`; `idempotency_key_reused` if the key was used for another request, `token_deleted` if
 *   the token was deleted, or its secret replaced
 */
export const tokenOnce = (
  runtime: Announcing,
  owner: Account,
  request: Repeatable,
  token: { readonly name: string; readonly asked?: string | undefined },
  create: (note?: Note) => Promise<CreatedToken>,
  permit?: (item: TokenItem) => Promise<void>,
) =>
  once(runtime, request, { ...token, username: owner.username }, create, async (secret) => {
    const item = tokenIn(await get(runtime.table, tokenKey(hashApiToken(secret))));
    const { of_generation: generation = 0 } = item ?? {};
    if (!item || !isIndexed(item) || !isLive(item, runtime.now()) || generation !== generationOf(owner))
      throw new Failure('token_deleted');
    await permit?.(item);
    const { token_used_at: _, ...unused } = item;
    return createdToken(unused, secret);
  });
