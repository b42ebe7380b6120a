import { readAccounts } from '../account/account.ts';
import { type Ends, endOf, hasMoreEnded, listedEnds, readEnds } from '../account/ended.ts';
import { isUsername } from '../account/identifiers.ts';
import { bestEffort } from '../async/best-effort.ts';
import type { Cause } from '../failure/cause.ts';
import { Failure } from '../failure/failure.ts';
import { type Account, barOf, generationOf, hasTrust, isEnrolled } from '../item/account.ts';
import { type CredentialLimits, limitsOf, type StoredToken, type TokenItem, tokenIn } from '../item/token.ts';
import { isOutage } from '../network/aws.ts';
import type { Runtime } from '../runtime.ts';
import { BoundedMap } from '../session/bounded-map.ts';
import { type CachedPublicKeys, cachedPublicKeys } from '../session/public-keys.ts';
import type { VerifiedSession } from '../session/session-token.ts';
import { sessionVerifier } from '../session/verified-sessions.ts';
import { accountKey, type Key, tokenKey } from '../table/keys.ts';
import { get, getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { hashApiToken, secretId } from '../token/secret.ts';
import { isUseDue, recordUse, type UsedToken } from './activity.ts';
import type { Credential } from './credential.ts';
import { checkLimits } from './credential-limits.ts';

export interface Authentication {
  readonly caller: Account;
  /** Name of the API token, or ID of the session. */
  readonly credential: string;
  readonly limits: CredentialLimits;
  /** ID of the secret of the API token, or of the one that logged in the session. */
  readonly secret: string | undefined;
  readonly token?: UsedToken | undefined;
  readonly session?: VerifiedSession | undefined;
  /** The other requested accounts, in their order. */
  readonly accounts: readonly (Account | undefined)[];
  /** Settles when the activity is recorded; never rejects. Undefined if none is due, as for most requests. */
  readonly recorded: Promise<unknown> | undefined;
}

/** Verifies a credential, and reads other accounts in the same round trip as the caller. */
export type Authenticate = (credential: Credential, usernames?: readonly string[]) => Promise<Authentication>;

/** Age up to which a cached account may answer for a session during an outage. */
const STALE_MS = 60_000;

/** The value of a credential, and the address that its limits are compared with. */
type Presentation = Pick<Credential, 'value' | 'address'>;

interface Memory {
  readonly account: Account;
  readonly readAt: number;
}

/**
 * Creates the only way to authenticate, with a cache per execution environment.
 *
 * @param cacheMs how long a cached account may answer for its session; during an outage a minute. If undefined, the
 *   account is read, or the request fails
 */
export function authenticator(
  runtime: Runtime,
  cacheMs?: number,
  publicKeys: CachedPublicKeys = cachedPublicKeys(runtime.table, runtime.now),
): Authenticate {
  const { table, now } = runtime;
  const verify = sessionVerifier(runtime, publicKeys);
  const memory = new BoundedMap<Memory>();
  const owners: Owners = new BoundedMap();

  /** Caches accounts by the start of their read; answering from the cache does not renew them. */
  const read = async (usernames: readonly string[]) => {
    const readAt = now();
    const accounts = await readAccounts(table, usernames);
    const [account] = accounts;
    if (account) memory.set(account.username, { account, readAt });
    return accounts;
  };

  const authenticateSession = async ({ value, address }: Presentation, usernames: readonly string[]) => {
    const session = await verify(value);
    const { name, sub, sst, tid, tgn, pid, fid, limits = {}, jti, kid } = session;
    checkLimits(limits, address, now());
    if (!isUsername(name)) throw new Failure('unauthenticated', { cause: 'malformed_session' });
    const known = memory.get(name);
    const ids = [jti, tid] as const;
    const barTo = (account: Account | undefined, ends: Ends): Cause | undefined =>
      account?.id === sub
        ? (barOf(account, now()) ??
          endOf(account, ends, sst, ids, now()) ??
          removalOf(account, pid) ??
          endOfTrust(account, fid) ??
          (tid === undefined && fid === undefined ? undefined : revocationOf(account, tgn)))
        : 'account_unknown';
    const recall = (ms: number) => {
      if (!known || now() - known.readAt > ms || hasMoreEnded(known.account, now())) return undefined;
      return barTo(known.account, listedEnds(known.account)) ? undefined : known.account;
    };
    const cached = cacheMs && usernames.length === 0 ? recall(cacheMs) : undefined;
    // A due use is written with the account as read.
    const mayAnswer = cached !== undefined && !isUseDue(cached, now());
    const reading = mayAnswer
      ? [cached]
      : read([name, ...usernames]).catch((error) => {
          const last = cacheMs !== undefined && isOutage(error) ? recall(STALE_MS) : undefined;
          if (last) return [last];
          throw error;
        });
    // In parallel with the account: an occasional query that takes no extra time.
    const [[account, ...accounts], verifies] = await Promise.all([reading, publicKeys.stillVerifies(kid)]);
    if (!verifies) throw new Failure('unauthenticated', { cause: 'key_revoked' });
    const ends = account ? await readEnds(table, account, ids, now()) : new Map();
    const cause = barTo(account, ends);
    if (!account || cause) throw new Failure('unauthenticated', { cause: cause ?? 'account_unknown' });
    // A token that a session creates ends with the secret that has logged it in, even during an overlap.
    const end = tid === undefined ? undefined : ends.get(tid);
    const limited =
      end === undefined ? limits : { ...limits, expires_at: Math.min(end, limits.expires_at ?? end) };
    return admit(runtime, account, accounts, { credential: jti, limits: limited, secret: tid, session });
  };

  return (credential, usernames = []) =>
    credential.kind === 'api-token'
      ? authenticateApiToken(runtime, credential, usernames, owners)
      : authenticateSession(credential, usernames);
}

/**
 * Cached owners of tokens, by the hash of their secrets. An owner only determines which account to read with the
 * token: the token and the permissions of its owner are read for every request.
 */
export type Owners = BoundedMap<string>;

/**
 * Verifies an API token by a strongly consistent read for every request, so a deletion takes effect at once: in one
 * round trip if its owner is cached, otherwise in two.
 */
export async function authenticateApiToken(
  runtime: Runtime,
  { value, address }: Presentation,
  usernames: readonly string[] = [],
  owners: Owners = new BoundedMap(),
): Promise<Authentication> {
  const hash = hashApiToken(value);
  const key = tokenKey(hash);
  const { item, accounts } = await readToken(runtime.table, key, owners.get(hash), usernames);
  const [caller, ...others] = accounts;
  if (!item || caller?.id !== item.userid) {
    owners.delete(hash);
    throw new Failure('unauthenticated', { cause: item ? 'account_unknown' : 'unknown_token' });
  }
  const revoked = revocationOf(caller, item.of_generation);
  if (revoked) throw new Failure('unauthenticated', { cause: revoked });
  const limits = limitsOf(item);
  checkLimits(limits, address, runtime.now());
  owners.set(hash, item.username);
  const verified = { credential: item.name, limits, secret: secretId(hash) };
  return admit(runtime, caller, others, verified, { key, item });
}

/** Why a session that a passkey has opened has ended with it. @param pid ID of its enrolment, if one has opened it */
export const removalOf = (account: Account, pid: string | undefined): Cause | undefined =>
  pid === undefined || isEnrolled(account, pid) ? undefined : 'passkey_removed';

/** Why a session that a trust has opened has ended with it. @param fid ID of the trust, if one has opened it */
export const endOfTrust = (account: Account, fid: string | undefined): Cause | undefined =>
  fid === undefined || hasTrust(account, fid) ? undefined : 'trust_removed';

/** Why a token of a generation is invalid, with the sessions that it logged in: all tokens were revoked after its creation. */
const revocationOf = (account: Account, generation = 0): Cause | undefined =>
  generation === generationOf(account) ? undefined : 'token_revoked';

async function readToken(
  table: Table,
  key: Key<StoredToken>,
  owner: string | undefined,
  usernames: readonly string[],
): Promise<{ readonly item: TokenItem | undefined; readonly accounts: readonly (Account | undefined)[] }> {
  if (owner !== undefined) {
    const [item, ...accounts] = await getAll(table, [key, ...[owner, ...usernames].map(accountKey)]);
    return { item: tokenIn(item), accounts };
  }
  const item = tokenIn(await get(table, key));
  return { item, accounts: item ? await readAccounts(table, [item.username, ...usernames]) : [] };
}

function admit(
  runtime: Runtime,
  caller: Account,
  accounts: readonly (Account | undefined)[],
  verified: Pick<Authentication, 'credential' | 'limits' | 'secret' | 'session'>,
  token?: UsedToken,
): Authentication {
  const time = runtime.now();
  const cause = barOf(caller, time);
  if (cause) throw new Failure('unauthenticated', { cause });
  const mayBeDue = token !== undefined || isUseDue(caller, time);
  const recorded = mayBeDue ? bestEffort(recordUse(runtime, caller, token)) : undefined;
  return { caller, ...verified, token, accounts, recorded };
}
