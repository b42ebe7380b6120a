import { sameUsername } from '../account/account.ts';
import { isHeld, readName } from '../account/tokens/names.ts';
import { checkWithin, type Requester } from '../account/within.ts';
import type { Actor } from '../event/event.ts';
import { token_rotate } from '../event/token-events.ts';
import { Failure } from '../failure/failure.ts';
import type { Note } from '../idempotency/once.ts';
import type { Account } from '../item/account.ts';
import { limitsOf, tokenIn } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { tokenKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import { DAY_MS, MINUTE_MS } from '../time.ts';
import { putToken } from './create.ts';
import { type Requested, tokenOnce } from './create-once.ts';
import { secretId } from './secret.ts';

/**
 * Replaces the secret of an API token. Its limits and description stay, as does its end, unless a new token may only have
 * an earlier one. It counts as created now, and by the actor if
 * that is another account, so that a search for tokens by time or creator finds the secret. The former secret, and the
 * sessions that it has logged in, end with the overlap; another rotation ends them at once.
 *
 * @param overlap in minutes; 0 ends the former secret at once
 * @returns the record with the new secret, which cannot be read again
 * @throws Failure `token_not_found`, also if the token has expired; `forbidden` if it is wider than the credential;
 *   `token_rotated` if another request was faster; `account_cancelled`
 */
export async function rotateToken(
  runtime: Announcing,
  owner: Account,
  name: string,
  actor: Actor,
  overlap: number,
  { limits = {}, secret }: Requester = {},
  note?: Note,
) {
  const { table, now, settings } = runtime;
  const held = await readName(table, owner, name);
  const item = held && tokenIn(await get(table, tokenKey(held.sha256)));
  if (!isHeld(held, now())) throw new Failure('token_not_found');
  // During an overlap, the former secret has an end that its successor would exceed.
  const isFormer = held.former !== undefined && secretId(held.former.sha256) === secret;
  if (!item || isFormer) throw new Failure('token_rotated');
  checkWithin(item, limits);
  const { description, session_until: until } = item;
  const { expires_at = Number.POSITIVE_INFINITY } = item;
  const latest =
    settings.TokenMaxDays > 0 ? now() + settings.TokenMaxDays * DAY_MS : Number.POSITIVE_INFINITY;
  const end = Math.min(expires_at, latest);
  return putToken(runtime, { owner, held, until }, name, actor, {
    kind: token_rotate,
    terms: { ...limitsOf(item), ...(end < expires_at && { expires_at: end }), description },
    createdBy: sameUsername(actor.by, owner.username) ? item.token_created_by : actor.by,
    taken: 'token_rotated',
    formerUntil: overlap > 0 ? Math.min(now() + overlap * MINUTE_MS, expires_at) : undefined,
    secret,
    note,
  });
}

/**
 * Rotates an API token as requested, once for each `Idempotency-Key`. A repeat needs a credential that may rotate the token,
 * or the secret that was replaced.
 *
 * @throws Failure those of `rotateToken` and `tokenOnce`
 */
export function rotateRequested(
  runtime: Announcing,
  owner: Account,
  request: Requested<{ readonly overlap_minutes?: number | undefined }> & Requester,
) {
  const { actor, limits, secret, params, body } = request;
  const { token_name: name } = params;
  const { overlap_minutes: overlap = 0 } = body;
  return tokenOnce(
    runtime,
    owner,
    request,
    { name, asked: `rotate ${overlap}` },
    (note) => rotateToken(runtime, owner, name, actor, overlap, request, note),
    async (item) => {
      const former = (await readName(runtime.table, owner, name))?.former;
      // It ends with the overlap, so before the token.
      if (!former || secretId(former.sha256) !== secret) checkWithin(item, limits);
    },
  );
}
