import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';
import { Failure } from '../failure/failure.ts';
import type { PublicKeyItem } from '../item/instance.ts';
import { describe, log } from '../log/log.ts';
import { openSecrets } from '../network/secrets.ts';
import { type Runtime, requireVariable } from '../runtime.ts';
import { query } from '../table/read.ts';
import { DAY_MS } from '../time.ts';
import { chooseKey, outlivesTokens, publicHalfOf, signsFrom, signsNext } from './choose-key.ts';
import { type KeyUse, SESSION_KEYS } from './key-use.ts';
import { findKeyVersion, type KeyVersion, readKeyVersion, SIGNING, signerOf } from './key-version.ts';
import { CHECK_MS, HELD_MS } from './lead.ts';
import { publishKey } from './publish-key.ts';
import type { SigningKey } from './session-token.ts';

/** Log message of a request for which no key signs: none is stored, or all are revoked. */
export const NO_KEY = 'There is no valid signing key';

/** Log message of a request for which the keys of this stack have to wait, since gateways know those of another one only. */
export const WAITS = 'The signing keys wait until gateways know them';

/** Longest pause that a request is asked for while keys wait: an operator may end the wait. */
const WAIT_SECONDS = 60;

export { openSecrets };

/** Logs the age of the current key; an alarm reads it and fires when the rotation is overdue. */
export function logKeyAge(
  kid: string,
  createdAt: Date | undefined,
  time: number,
  { signs } = SESSION_KEYS,
): void {
  if (!createdAt) return;
  const keyAgeDays = Math.max(0, Math.floor((time - createdAt.getTime()) / DAY_MS));
  log('info', { message: 'The signing key was read', signs, kid, keyAgeDays });
}

interface HeldKey extends KeyVersion {
  readonly signer: SigningKey;
}

/**
 * Reads the private key that signs now, as {@link chooseKey} chooses it. The keys of the secret are held for
 * {@link HELD_MS}. A table that was restored from before the last rotation lacks the public half: it is published again
 * before the key signs.
 *
 * @returns a function that throws Failure `unavailable` while the instance has no valid key
 */
export const signingKeyFromSecret = (runtime: Pick<Runtime, 'table' | 'now'>) =>
  keyFromSecret(runtime, SESSION_KEYS, requireVariable('signingKey'));

/** The same for the keys of any use. @param SecretId of the secret that has them */
export function keyFromSecret(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  use: KeyUse,
  SecretId: string,
): () => Promise<SigningKey> {
  const { signs, all } = use;
  const secrets = openSecrets();
  const read = async (stage?: string): Promise<HeldKey | undefined> => {
    const version = await (stage === undefined
      ? readKeyVersion(secrets, { SecretId })
      : findKeyVersion(secrets, { SecretId, VersionStage: stage }));
    if (!version) return undefined;
    return { ...version, signer: signerOf(version.jwk) };
  };
  let current: HeldKey | undefined;
  let signing: Promise<HeldKey | undefined> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let items: readonly PublicKeyItem[] = [];
  let checkedAt = Number.NEGATIVE_INFINITY;

  const readSigning = () => {
    signing ??= read(SIGNING);
    return signing;
  };
  const readSecret = async () => {
    const started = now();
    current = await read();
    if (current) logKeyAge(current.jwk.kid, current.createdAt, started, use);
    signing = undefined;
    readAt = started;
    checkedAt = Number.NEGATIVE_INFINITY;
  };
  const check = async () => {
    const started = now();
    items = await query(table, all);
    // Both keys are always published if one is the successor of the other.
    for (const key of use.hasSuccessor ? [current, await readSigning()] : [current]) {
      const item = publicHalfOf(key, items);
      if (!key || item?.revoked_at !== undefined || outlivesTokens(item, started, use)) continue;
      log('warn', { message: 'The public key was missing and is published again', kid: key.jwk.kid });
      await publishKey(table, key, started, use);
      items = await query(table, all);
    }
    checkedAt = started;
  };
  const choose = async () => {
    if (now() - checkedAt >= CHECK_MS) await check();
    const alone = chooseKey(current, undefined, items, now(), use);
    const item = publicHalfOf(alone, items);
    if (!use.hasSuccessor && item && now() >= signsFrom(item, use)) return alone;
    return chooseKey(current, await readSigning(), items, now(), use);
  };

  const unavailable = async () => {
    const ring = use.hasSuccessor ? [await readSigning(), current] : [];
    const next = signsNext(ring, items, now(), use);
    if (next === undefined) {
      log('error', { message: NO_KEY, signs });
      return new Failure('unavailable', { retryAfter: 5 });
    }
    log('warn', { message: WAITS, signs, signs_from: new Date(next).toISOString() });
    const seconds = Math.ceil((next - now()) / 1000);
    return new Failure('unavailable', { retryAfter: Math.min(WAIT_SECONDS, Math.max(1, seconds)) });
  };

  return async () => {
    try {
      if (!current || now() - readAt >= HELD_MS) await readSecret();
      let chosen = await choose();
      const isSuperseded = publicHalfOf(current, items)?.expires_at !== undefined;
      if ((isSuperseded || !chosen) && now() - readAt >= CHECK_MS) {
        // A rotation has retired the held key, or it was revoked.
        await readSecret();
        chosen = await choose();
      }
      if (!chosen) throw await unavailable();
      return chosen.signer;
    } catch (error) {
      signing = undefined;
      // Operators have to fix every refusal of the secret store, such as a missing permission.
      if (!(error instanceof SecretsManagerServiceException)) throw error;
      log('error', { message: 'The signing key cannot be read', signs, error: describe(error) });
      throw new Failure('unavailable', { retryAfter: 5 });
    }
  };
}
