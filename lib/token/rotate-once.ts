import { readName } from '../account/token-names.ts';
import type { Account } from '../item/account.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { type Requested, tokenOnce } from './create-once.ts';
import { type Requester, rotateToken } from './rotate.ts';
import { secretId } from './secret.ts';
import { checkWithin } from './terms.ts';

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
