import { rolesOf } from '../account/caller.ts';
import { withinGrace } from '../auth/activity.ts';
import { refusalOf } from '../auth/step-up.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { concerning } from '../failure/failure.ts';
import { issuerOf } from '../instance/issuer.ts';
import { signResourceToken } from '../resource/resource-token.ts';
import type { Resource } from '../resource/resources.ts';
import type { Runtime } from '../runtime.ts';
import type { SigningKey } from '../session/session-token.ts';
import { transact } from '../table/write.ts';
import { OAuthFailure } from './failure.ts';
import { answerOf, narrowed } from './issued.ts';
import type { Proven } from './proven.ts';

/**
 * The roles of a credential that count at a resource: without those of this service, unless the setting lists them. These need
 * what the step-up demands here, since no other service would know how the session began.
 */
function rolesAt({ settings, now }: Runtime, { roles }: Resource, { account, limits, opening }: Proven) {
  const held = rolesOf(account, limits);
  const session = 'session' in opening ? opening.session : undefined;
  const isOfThis = (role: string) => role.startsWith('sys_');
  const mayHave = (role: string) =>
    roles
      ? roles.includes(role) && !(isOfThis(role) && refusalOf(settings, account, session, now()))
      : !isOfThis(role);
  return held.filter(mayHave);
}

/**
 * Issues a token for another service (RFC 9068). Nothing ends it early, so it lives for minutes, and not longer than its
 * credential.
 *
 * @throws OAuthFailure `invalid_scope`; `invalid_target` for a credential that the other service could not limit
 */
export async function issueResourceToken(
  runtime: Runtime,
  key: SigningKey,
  proven: Proven,
  resource: Resource,
  scope: string | undefined,
  event: GatewayEvent,
  isExchange: boolean,
) {
  const { account, limits, client, credential, end, spending } = proven;
  if (limits.access || limits.addresses)
    throw new OAuthFailure(
      'invalid_target',
      'The credential is limited to reading, or to addresses, which no other service would know: use another one.',
    );
  const allowed = { ...limits, roles: rolesAt(runtime, resource, proven) };
  const narrow = narrowed(account, allowed, scope);
  const roles = rolesOf(account, narrow);
  const iat = Math.floor(runtime.now() / 1000);
  const exp = Math.min(iat + resource.minutes * 60, end);
  const jti = runtime.uuid();
  const claims = {
    iss: issuerOf(runtime.settings),
    aud: resource.audience,
    sub: account.id,
    client_id: client,
    roles,
    ...(roles.length > 0 && { scope: roles.join(' ') }),
    jti,
    iat,
    exp,
  };
  const token = await signResourceToken(key, claims);
  await Promise.all([
    // A transaction, also of one write: the SDK repeats an update whose answer was lost, which would count as spent.
    spending.length > 0 ? transact(runtime.table, spending).catch(concerning(account.username)) : undefined,
    withinGrace(proven.record()),
  ]);
  return answerOf({ token, seconds: exp - iat }, account, narrow, event, isExchange, {
    login: { credential },
    details: { resource: resource.audience, token_id: jti },
  });
}
