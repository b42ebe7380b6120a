import { rolesOf } from '../account/caller.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { newSession } from '../login/open-session.ts';
import { OAuthFailure } from './failure.ts';
import { TOKEN_TYPES } from './grant-types.ts';

/**
 * The limits of a session with the roles of a scope.
 *
 * @throws OAuthFailure `invalid_scope` for a role that the credential does not have
 */
export function narrowed(
  account: Account,
  limits: CredentialLimits,
  scope: string | undefined,
): CredentialLimits {
  if (scope === undefined) return limits;
  const roles = [...new Set(scope.split(' ').filter((role) => role !== ''))];
  const held = rolesOf(account, limits);
  const strange = roles.filter((role) => !held.includes(role));
  if (strange.length > 0)
    throw new OAuthFailure(
      'invalid_scope',
      `The scope has roles that the credential has not: ${strange.join(' ')}.`,
    );
  return { ...limits, roles };
}

/** The token response (RFC 6749 section 5.1, RFC 8693 section 2.2.1). */
export function answerOf(
  { data, login }: Awaited<ReturnType<typeof newSession>>['answer'],
  account: Account,
  limits: CredentialLimits,
  event: GatewayEvent,
  isExchange = false,
) {
  const scope = rolesOf(account, limits).join(' ');
  return new Answer(
    {
      access_token: data.JWTtoken,
      ...(isExchange ? { issued_token_type: TOKEN_TYPES.access } : {}),
      token_type: data.token_type,
      expires_in: data.expires_in,
      ...(scope ? { scope } : {}),
      requestID: event.requestContext.requestId,
    },
    { ...(login && { login: { ...login, username: account.username } }) },
  );
}
