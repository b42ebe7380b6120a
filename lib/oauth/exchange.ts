import { isUsername } from '../account/identifiers.ts';
import { recordUse } from '../auth/activity.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Cause } from '../failure/cause.ts';
import { concerning } from '../failure/failure.ts';
import { issuerOf } from '../instance/issuer.ts';
import type { Settings } from '../instance/settings.ts';
import { type Account, barOf, isMachine } from '../item/account.ts';
import type { IssuerKeys } from '../item/issuer.ts';
import { type TrustItem, trustLimits } from '../item/trust.ts';
import { isWithin } from '../network/addresses.ts';
import type { Runtime } from '../runtime.ts';
import { accountKey, issuerKey, spentGrantKey, trustKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import { creating } from '../table/write.ts';
import { trimmed } from '../text/trimmed.ts';
import { faultOfSignature, type Grant, grantIn } from '../trust/grant.ts';
import { fetchOnDemand, usableKeys } from '../trust/issuer-keys.ts';
import { type Issuer, issuersFromEnvironment } from '../trust/issuers.ts';
import { GRANT_SKEW_SECONDS, mismatchesOf } from '../trust/mismatch.ts';
import { OAuthFailure } from './failure.ts';
import type { Proven } from './proven.ts';

/** A proof by a token of an issuer. */
export interface Exchange {
  /** The trust as `<trust>@<machine>`. */
  readonly name: string;
  readonly token: string;
  /** Whether the request is one of RFC 8693, and not of RFC 7523. */
  readonly isExchange: boolean;
}

/** The trust that a request names, with its machine, and the issuer of the token if the settings have it. */
interface Named {
  readonly account: Account;
  readonly trust: TrustItem;
  readonly issuer: Issuer | undefined;
  readonly keys: IssuerKeys | undefined;
}

/** The issuers of an execution environment: reading them checks their keys. */
const known = new WeakMap<Settings, readonly Issuer[]>();

/** Without the own issuer: its tokens are for other services, and sign in nobody here. */
function issuersOf(settings: Settings): readonly Issuer[] {
  const issuers =
    known.get(settings) ??
    issuersFromEnvironment(settings).filter(({ issuer }) => issuer !== issuerOf(settings));
  known.set(settings, issuers);
  return issuers;
}

/** The same for an unknown trust, so that names cannot be found out by it. */
export const REFUSED =
  'No trust of this name accepts the token. The audit log has the reason, and operators find it by trust try.';

/**
 * Proves a machine by a token of an issuer that the named trust accepts. A token for one use is spent by the writes of the
 * result: of several requests with it, one succeeds.
 *
 * @throws OAuthFailure `invalid_grant` for an unknown trust, and for a token that it does not accept, which in an exchange
 *   is `invalid_request` (RFC 8693 section 2.2.2)
 */
export async function provenMachine(
  runtime: Runtime,
  exchange: Exchange,
  event: GatewayEvent,
): Promise<Proven> {
  const grant = grantIn(exchange.token);
  const named = await readNamed(runtime, exchange.name, grant);
  return accept(runtime, { ...exchange, grant, ...named }, event).catch(concerning(named.account.username));
}

async function accept(
  runtime: Runtime,
  request: Exchange & Named & { readonly grant: Grant | undefined },
  event: GatewayEvent,
): Promise<Proven> {
  const { account, trust, grant, issuer } = request;
  const refused = (cause: Cause) =>
    new OAuthFailure(request.isExchange ? 'invalid_request' : 'invalid_grant', REFUSED, { cause });
  const cause = grant ? await faultOf(runtime, grant, request) : 'malformed_grant';
  if (cause || !grant || !issuer) throw refused(cause ?? 'unknown_issuer');
  const { addresses } = trust;
  if (addresses && !isWithin(addresses, event.requestContext.http.sourceIp)) throw refused('wrong_address');
  const limits = trustLimits(trust);
  const { trust_id: id, trust_name: name, max_minutes } = trust;
  const now = Math.floor(runtime.now() / 1000);
  // Two instances that trust each other would otherwise renew each other's tokens for ever, also by the skew of clocks.
  const left = grant.isAccessToken ? (grant.payload.exp ?? 0) - now : Number.POSITIVE_INFINITY;
  const seconds = Math.min(max_minutes * 60, Math.floor(left));
  if (seconds < 1) throw refused('grant_expired');
  return {
    account,
    limits,
    client: `${name}@${account.username}`,
    credential: `trust:${name}`,
    end: now + seconds,
    opening: { trust: { id, name, limits, seconds } },
    spending: issuer.single_use ? [spending(grant, () => refused('grant_spent'))] : [],
    record: () => recordUse(runtime, account),
  };
}

/** The write that only one request with a token survives, until the token expires. */
const spending = ({ payload: { iss = '', jti = '', exp = 0 } }: Grant, refused: () => OAuthFailure) => ({
  ...creating(spentGrantKey(iss, jti), { ttl: Math.ceil(exp) + GRANT_SKEW_SECONDS }),
  otherwise: refused,
});

/**
 * Reads the trust, its machine and the keys of the issuer in one round trip.
 *
 * @param name `<trust>@<machine>`, of which only the second may contain an `@`
 * @throws OAuthFailure `invalid_grant`
 */
async function readNamed({ table, settings, now }: Runtime, name: string, grant: Grant | undefined) {
  const refused = (cause: Cause) => new OAuthFailure('invalid_grant', REFUSED, { cause });
  const [trustName = '', ...rest] = name.split('@');
  const username = trimmed(rest.join('@'));
  if (!isUsername(username) || !/^[\w.-]{1,128}$/.test(trustName)) throw refused('unknown_trust');
  const issuer = issuersOf(settings).find((one) => one.issuer === grant?.payload.iss);
  const [trust, account, keys] = await getAll(table, [
    trustKey(username, trustName),
    accountKey(username),
    ...(issuer && !issuer.jwks ? [issuerKey(issuer.issuer)] : []),
  ]);
  const cause =
    barOf(account, now()) ??
    (account && isMachine(account) && trust && account.trusts?.[trustName] === trust.trust_id
      ? undefined
      : 'unknown_trust');
  if (cause || !account || !trust) {
    const failure = refused(cause ?? 'unknown_trust');
    failure.about = account?.username;
    throw failure;
  }
  return { account, trust, issuer, keys } satisfies Named;
}

/** Why a trust does not accept a token; undefined if it does. */
async function faultOf(
  runtime: Runtime,
  grant: Grant,
  { trust, issuer, keys: stored }: Named,
): Promise<Cause | undefined> {
  if (issuer?.name !== trust.trust_issuer) return 'unknown_issuer';
  const { payload } = grant;
  if (issuer.single_use && !(typeof payload.jti === 'string' && payload.jti !== '')) return 'malformed_grant';
  const now = runtime.now();
  const [mismatch] = mismatchesOf(payload, issuer, trust, { now, audience: issuerOf(runtime.settings) });
  const keys = usableKeys(stored, issuer, now);
  const fault = keys ? await faultOfSignature(grant, keys) : 'issuer_unreachable';
  if (!fault) return mismatch?.cause;
  const mayBeNew = !issuer.jwks && (fault === 'unknown_key' || fault === 'issuer_unreachable');
  // Only for a token that a key of the issuer would let in: strangers do not know what the trust expects.
  if (!mayBeNew || mismatch) return fault;
  const fetched = await fetchOnDemand(runtime, issuer, stored);
  return fetched ? faultOfSignature(grant, fetched) : fault;
}
