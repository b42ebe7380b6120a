import type { PublicKeyItem } from '#lib/item/instance';
import { outlivesTokens, signsFrom } from '#lib/session/choose-key';
import { type KeyUse, SESSION_KEYS } from '#lib/session/key-use';
import { findKeyVersion, SIGNING } from '#lib/session/key-version';
import { GATEWAY_CACHE_SECONDS } from '#lib/session/lead';
import { publishKey } from '#lib/session/publish-key';
import { query } from '#lib/table/read';
import { isoOf } from '#lib/time';
import { placeOf } from '../../stolen.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { halfOf, isOther, type KeyStore, ROTATIONS, signerIn, type Versions, versionsOf } from '../keys.ts';
import { Refusal } from '../refusal.ts';

type Finding = Pick<Diagnosis, 'state' | 'found'>;

/** Names of the checks: the own keys of each use, and those of other secrets. */
export const KEY_CHECKS: Readonly<
  Record<KeyUse['signs'], { readonly own: string; readonly others: string }>
> = {
  sessions: { own: 'signing_key', others: 'other_signing_keys' },
  resources: { own: 'resource_key', others: 'other_resource_keys' },
};

/**
 * Whether the table has the public halves of the own keys of a use, without which the service refuses new tokens, and whether
 * keys of other secrets verify.
 */
export async function keyFindings(store: KeyStore, now: number): Promise<Diagnosis[]> {
  const { use } = store;
  const own = await versionsOf(store);
  const items = await query(store.table, use.all);
  const { own: ofOwn, others } = KEY_CHECKS[use.signs];
  return [
    {
      check: ofOwn,
      ...(use.hasSuccessor ? ringOf(own, items, now, use) : answerOf(own.current, items, now)),
    },
    { check: others, ...othersOf(own, items, now) },
  ];
}

/** The command that ends a key. */
const revocation = ({ jwk: { kid } }: PublicKeyItem) => `"keys revoke ${kid}"`;

/**
 * The keys of other secrets that verify. Whether their stacks exist is unknown: one stack may follow another one on the same
 * table, or two may share it.
 */
export function othersOf(own: Versions, items: readonly PublicKeyItem[], now: number): Finding {
  const verify = items.filter(
    (item) =>
      isOther(item, own) && item.revoked_at === undefined && (item.expires_at ?? Infinity) * 1000 > now,
  );
  if (verify.length === 0) return { state: 'ok', found: 'no key of another secret verifies' };
  const endOf = ({ expires_at: end }: PublicKeyItem) =>
    end === undefined ? 'without an end' : `until ${isoOf(end * 1000)}`;
  const found = verify.map((item) => `${item.jwk.kid} of another secret verifies ${endOf(item)}`).join(', ');
  const kids = verify.map(revocation).join(', ');
  const isEndless = verify.some(({ expires_at }) => expires_at === undefined);
  return {
    state: isEndless ? 'unknown' : 'ok',
    found: `${found}: if its stack was deleted, end it with ${kids}; if no stack had it: ${placeOf('key')}`,
  };
}

/** The state of a version of the secret, by default the current one, among the public keys of a table. */
export function answerOf(
  version: string | undefined,
  items: readonly PublicKeyItem[],
  now: number,
  use: KeyUse = SESSION_KEYS,
  name = 'current',
): Finding {
  const item = halfOf(items, version);
  if (!item)
    return {
      state: 'missing',
      found: `the table has ${items.length} public keys, none of them the ${name} one`,
    };
  const { kid } = item.jwk;
  if (item.revoked_at !== undefined)
    return { state: 'wrong', found: `${kid} was revoked: "${ROTATIONS[use.signs].command}" creates another` };
  return outlivesTokens(item, now, use)
    ? { state: 'ok', found: kid }
    : { state: 'missing', found: `${kid} is retired in the table but signs` };
}

/**
 * The state of two keys of which one succeeds the other. While gateways know a key of another secret, which may still sign, the
 * own ones wait until gateways know them too.
 */
export function ringOf(own: Versions, items: readonly PublicKeyItem[], now: number, use: KeyUse): Finding {
  const ring = [
    ...(own.signing === undefined ? [] : [['signing', own.signing] as const]),
    ['current', own.current] as const,
  ];
  const findings = ring.map(([name, version]) => answerOf(version, items, now, use, name));
  // Only what is missing can be mended.
  const states = ['missing', 'wrong'].find((one) => findings.some(({ state }) => state === one));
  const faults = findings.filter(({ state }) => state !== 'ok').map(({ found }) => found);
  if (states) return { state: states as Finding['state'], found: faults.join('; ') };
  const signer = signerIn(items, own, now, use);
  const kids = findings.map(({ found }) => found);
  if (signer) {
    const next = kids.filter((kid) => kid !== signer.jwk.kid).map((kid) => `, ${kid} is next`);
    return { state: 'ok', found: `${signer.jwk.kid} signs${next.join('')}` };
  }
  const halves = ring.flatMap(([, version]) => halfOf(items, version) ?? []);
  const [first] = halves.toSorted((a, b) => signsFrom(a, use) - signsFrom(b, use)) as [PublicKeyItem];
  const known = items.filter(
    (item) => isOther(item, own) && outlivesTokens(item, now, use) && now >= signsFrom(item, use),
  );
  const hours = GATEWAY_CACHE_SECONDS / 3600;
  return {
    state: 'unknown',
    found: `${first.jwk.kid} signs from ${isoOf(signsFrom(first, use))}, until then requests for tokens of other services are answered 503: gateways know ${known.map(({ jwk }) => jwk.kid).join(', ')} of another secret, whose stack may sign; if it was deleted, ${known.map(revocation).join(', ')} lets the own key sign at once, and gateways may refuse its tokens for ${hours} hours`,
  };
}

/**
 * Publishes the current key again, with a successor also the one that signs; reads the private keys.
 *
 * @throws Refusal `no_signing_key`
 */
export async function publishCurrentKey(store: KeyStore, now: number): Promise<void> {
  const { secrets, SecretId, table, use } = store;
  const stages = use.hasSuccessor ? [undefined, SIGNING] : [undefined];
  const keys = await Promise.all(
    stages.map((VersionStage) => findKeyVersion(secrets, { SecretId, VersionStage })),
  );
  const published = keys.map((key) => key !== undefined && publishKey(table, key, now, use));
  if (!(await Promise.all(published)).includes(true))
    throw new Refusal(
      'no_signing_key',
      `The secret has no key that may sign: "${ROTATIONS[use.signs].command}" creates another`,
    );
}
