import type { JSONWebKeySet } from 'jose';
import type { IssuerKeys } from '../item/issuer.ts';
import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/expressions.ts';
import { issuerKey } from '../table/keys.ts';
import { update } from '../table/write.ts';
import { DAY_MS, MINUTE_MS } from '../time.ts';
import { fetchKeys } from './fetch-keys.ts';
import type { Issuer } from './issuers.ts';

/** How long keys stay usable after the last fetch that succeeded: an outage of an issuer shall stop no machine at once. */
export const KEYS_LAST_MS = DAY_MS;

/** All execution environments together fetch the keys of an issuer once in this time. */
export const FETCH_PAUSE_MS = MINUTE_MS;

/**
 * The keys that verify tokens of an issuer: pasted ones, otherwise the fetched ones for {@link KEYS_LAST_MS}.
 *
 * @param item stored under `issuerKey(issuer.issuer)`
 */
export function usableKeys(
  item: IssuerKeys | undefined,
  issuer: Issuer,
  now: number,
): JSONWebKeySet | undefined {
  if (issuer.jwks) return issuer.jwks;
  const { jwks, fetched_at = Number.NEGATIVE_INFINITY } = item ?? {};
  return jwks !== undefined && now - fetched_at <= KEYS_LAST_MS ? JSON.parse(jwks) : undefined;
}

/** Log message of a failed fetch, with the name of the issuer and the fault. */
export const UNREACHABLE = 'The keys of an issuer were not fetched';

type Needed = Pick<Runtime, 'table' | 'now'>;

/** The result of an attempt to fetch keys; `claimed` means that another environment has fetched in the last minute. */
export type Refreshed =
  | { readonly outcome: 'fetched'; readonly jwks: JSONWebKeySet }
  | { readonly outcome: 'failed'; readonly fault: string }
  | { readonly outcome: 'claimed'; readonly item: IssuerKeys | undefined };

/**
 * Fetches and stores the keys of an issuer, unless another environment has tried in the last minute. The claim is made
 * before the request, so a failed one uses the minute up. A failure leaves the stored keys as they are, and a result is
 * stored while its claim is the last one.
 */
export async function refreshKeys({ table, now }: Needed, { name, issuer }: Issuer): Promise<Refreshed> {
  const asked_at = now();
  const store = (attributes: Partial<IssuerKeys>) =>
    update(table, { Key: issuerKey(issuer), ...assign(attributes, { asked_at }) });
  const { ExpressionAttributeValues, ...claim } = assign({ asked_at, issuer_url: issuer }, {});
  const claimed = await update(table, {
    Key: issuerKey(issuer),
    ...claim,
    ConditionExpression: 'attribute_not_exists(#asked_at) OR #asked_at <= :free',
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':free': asked_at - FETCH_PAUSE_MS },
  });
  if (claimed) return { outcome: 'claimed', item: claimed.item };
  const { jwks, fault } = await fetchKeys(issuer);
  if (!jwks) {
    log('warn', { message: UNREACHABLE, issuer: name, fault });
    await store({ fault });
    return { outcome: 'failed', fault };
  }
  await store({ jwks: JSON.stringify(jwks), fetched_at: asked_at, fault: undefined });
  return { outcome: 'fetched', jwks };
}

/**
 * Fetches the keys of an issuer for a token that none of the known ones has signed.
 *
 * @param item the stored keys, as they were read for the token
 * @returns newer keys; undefined if an environment has tried in the last minute, or the fetch failed
 */
export async function fetchOnDemand(
  runtime: Needed,
  issuer: Issuer,
  item: IssuerKeys | undefined,
): Promise<JSONWebKeySet | undefined> {
  // A flood of unknown keys writes nothing.
  const isClaimed = item?.asked_at !== undefined && runtime.now() - item.asked_at < FETCH_PAUSE_MS;
  if (issuer.jwks || isClaimed) return undefined;
  const refreshed = await refreshKeys(runtime, issuer);
  if (refreshed.outcome === 'fetched') return refreshed.jwks;
  // Another one has fetched since the keys were read.
  const newer = refreshed.outcome === 'claimed' ? refreshed.item : undefined;
  return newer?.fetched_at === item?.fetched_at ? undefined : usableKeys(newer, issuer, runtime.now());
}
