import { rolesOf } from '../account/caller.ts';
import { withinGrace } from '../auth/activity.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import { credentialIn } from '../auth/credential.ts';
import { Answer } from '../contract/answer.ts';
import { causeOf } from '../failure/failure.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);

/**
 * Describes a credential that is valid now (RFC 7662), and records its use at the other service like one of a request. Only
 * that service knows the source address, so it compares the addresses.
 *
 * @param text a session token, or an API token with or without the prefix `api:`
 */
export async function inspect(authenticate: Authenticate, text: string) {
  const credential = credentialIn(text);
  const verified = credential ? await authenticate(credential).catch(causeOf) : 'malformed_credential';
  if (typeof verified === 'string') return new Answer({ active: false as const }, { cause: verified });
  const { caller, limits, token, session, recorded } = verified;
  await withinGrace(recorded);
  // The overlap of a rotation may end before the session.
  const ends = [session?.exp, limits.expires_at && seconds(limits.expires_at)];
  const exp = Math.min(...ends.filter((end) => end !== undefined));
  const roles = rolesOf(caller, limits);
  return {
    active: true as const,
    sub: caller.id,
    username: caller.username,
    // Names of roles contain no space. An empty scope would not be one (RFC 6749 section 3.3).
    ...(roles.length > 0 ? { scope: roles.join(' ') } : {}),
    token_type: session ? ('Bearer' as const) : ('Token' as const),
    client_id: verified.credential,
    iat: session?.iat ?? seconds(Date.parse(`${token?.item.token_created_at}Z`)),
    ...(Number.isFinite(exp) ? { exp } : {}),
    ...(session?.amr ? { amr: [...session.amr] } : {}),
    ...(session?.auth_time ? { auth_time: session.auth_time } : {}),
    ...(limits.access ? { access: limits.access } : {}),
    ...(limits.addresses ? { addresses: [...limits.addresses] } : {}),
  };
}
