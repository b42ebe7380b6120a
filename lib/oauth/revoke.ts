import { readAccount } from '../account/account.ts';
import { endUntil } from '../account/sessions.ts';
import { removeTokens } from '../account/tokens/remove.ts';
import { bestEffort } from '../async/best-effort.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import { type Credential, credentialIn } from '../auth/credential.ts';
import { checkFullAccess } from '../auth/credential-limits.ts';
import { Answer } from '../contract/answer.ts';
import type { Actor } from '../event/event.ts';
import { ignore } from '../failure/failure.ts';
import { generationOf } from '../item/account.ts';
import { tokenSubject } from '../item/audit-entry.ts';
import { type CredentialLimits, isLive, tokenIn } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { tokenKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import { deleteToken } from '../token/delete.ts';
import { endToken as endSecretNow } from '../token/end-secret.ts';
import { hashApiToken, secretId } from '../token/secret.ts';

/**
 * Ends a credential: the next request with it is refused. The answer does not show whether it was valid (RFC 7009 section
 * 2.2), the audit log does. Possession is enough, except for a read-only credential, which may end itself only.
 *
 * @param text a session token, or an API token with or without the prefix `api:`
 * @param presented the credential of the request
 * @throws Failure `forbidden`
 */
export async function revokeCredential(
  runtime: Announcing,
  authenticate: Authenticate,
  text: string,
  actor: Actor,
  presented: Pick<Credential, 'value'> & { readonly limits: CredentialLimits },
): Promise<Answer<Record<string, never>>> {
  const credential = credentialIn(text);
  if (credential?.value !== presented.value) checkFullAccess(presented.limits);
  let ended: Ended | undefined;
  if (credential?.kind === 'api-token') ended = await endToken(runtime, credential, actor);
  else if (credential) ended = await endSession(runtime, authenticate, credential);
  return new Answer({}, { about: { target: null }, ...ended, changed: ended !== undefined });
}

/** A token, or the account of a session, and which of its secrets or sessions has ended. */
type Ended = Pick<Answer, 'about' | 'details'>;

/** Also ends tokens of locked and cancelled accounts, which may work again. @returns name and account if it has ended */
async function endToken(
  runtime: Announcing,
  { value }: Credential,
  actor: Actor,
): Promise<Ended | undefined> {
  const { table, now } = runtime;
  const hash = hashApiToken(value);
  const key = tokenKey(hash);
  const item = tokenIn(await get(table, key));
  const owner = item && (await readAccount(table, item.username));
  if (owner?.id === undefined || owner.id !== item?.userid) return undefined;
  const { name, username, of_generation = 0 } = item;
  if (of_generation !== generationOf(owner)) return undefined;
  const deleted = await deleteToken(runtime, owner, name, actor, hash).catch(ignore('token_not_found'));
  // The name has another secret after a rotation, perhaps since the read; the former is valid until the overlap ends.
  const former = deleted ? undefined : tokenIn(await get(table, key));
  if (!deleted && !(former && isLive(former, now()))) return undefined;
  const { expires_at = 0, session_until = 0 } = former ?? {};
  const until = Math.max(Math.ceil(expires_at / 1000), session_until);
  const about = tokenSubject(name, username);
  if (!former) return { about };
  await endUntil(runtime, owner, secretId(hash), until, [endSecretNow(hash, now())]);
  await bestEffort(removeTokens(table, [hash]));
  return { about, details: { secret: 'former' } };
}

/** @returns its account and its ID if it has ended */
async function endSession(
  runtime: Announcing,
  authenticate: Authenticate,
  credential: Credential,
): Promise<Ended | undefined> {
  const verified = await authenticate(credential).catch(ignore('unauthenticated'));
  if (!verified?.session) return undefined;
  const { caller, session } = verified;
  return (await endUntil(runtime, caller, session.jti, session.exp))
    ? { about: { target: caller.username }, details: { session: session.jti } }
    : undefined;
}
