import type { Credential } from '#lib/auth/credential';
import type { Account } from '#lib/item/account';
import type { Runtime } from '#lib/runtime';
import { type SigningKey, signSession } from '#lib/session/session-token';
import { NOON } from '../support/engine.ts';

/** The attributes of an account that a session contains. */
export type Subject = Pick<Account, 'id' | 'username' | 'stamp'>;

/** The session of an account as a credential, signed at {@link NOON} for a day. */
export const sessionOf = async (
  runtime: Runtime,
  key: SigningKey,
  { id, username, stamp }: Subject,
): Promise<Credential> => ({
  kind: 'jwt',
  value: await signSession(runtime, key, { sub: id, name: username, sst: stamp }, NOON / 1000, 86_400),
  address: undefined,
});

export const UNAUTHENTICATED = { code: 'unauthenticated' };
/** The failure of a read while the table is down. */
export const OUTAGE = { name: 'InternalServerError' };
