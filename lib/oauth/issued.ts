import { rolesOf } from '../account/caller.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
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

/**
 * The token response (RFC 6749 section 5.1, RFC 8693 section 2.2.1).
 *
 * @param issued token and its lifetime
 * @param isExchange whether the request is one of RFC 8693
 * @param rest for the audit log
 */
export function answerOf(
  issued: { readonly token: string; readonly seconds: number },
  account: Account,
  limits: CredentialLimits,
  event: GatewayEvent,
  isExchange: boolean,
  { login, ...rest }: Pick<Partial<Answer>, 'login' | 'details' | 'changed'>,
) {
  const scope = rolesOf(account, limits).join(' ');
  return new Answer(
    {
      access_token: issued.token,
      ...(isExchange ? { issued_token_type: TOKEN_TYPES.access } : {}),
      token_type: 'Bearer' as const,
      expires_in: issued.seconds,
      ...(scope ? { scope } : {}),
      requestID: event.requestContext.requestId,
    },
    { ...rest, ...(login && { login: { ...login, username: account.username } }) },
  );
}
