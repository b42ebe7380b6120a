import { type Account, mayAuthenticate, readAccounts } from '../account/account.ts';
import { isOutage } from '../aws.ts';
import { Failure } from '../failure.ts';
import { quietly } from '../quietly.ts';
import type { Runtime } from '../runtime.ts';
import { tokenKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { TokenItem } from '../token/record.ts';
import { isActivityDue, noteDay, noteSession, noteToken } from './activity.ts';
import { hashApiToken } from './api-token.ts';
import type { Credential } from './credential.ts';
import { publicKeysOf } from './public-keys.ts';
import { verifySession } from './session-token.ts';

export interface Authentication {
  readonly caller: Account;
  /** The accounts asked for beside the caller, in their order. */
  readonly accounts: readonly (Account | undefined)[];
  /** Settles when the activity is noted; never rejects. */
  readonly noted: Promise<unknown>;
}

/** Verifies a credential, and reads other accounts in the round trip that reads the caller's. */
export type Authenticate = (credential: Credential, usernames?: readonly string[]) => Promise<Authentication>;

/** An account read at most this long ago may answer for a session while the table is out of reach. */
const STALE_MS = 60_000;
const REMEMBERED = 1000;

interface Memory {
  readonly account: Account;
  readonly readAt: number;
}

/** Builds the one way to authenticate; what it remembers lives as long as the execution environment. */
export function authenticator(runtime: Runtime): Authenticate {
  const { table, now } = runtime;
  const publicKeys = publicKeysOf(table, now);
  const memory = new Map<string, Memory>();

  /** Remembers what was read, and only that: a copy that has answered once grows no younger. */
  const read = async (usernames: readonly string[]) => {
    const accounts = await readAccounts(table, usernames);
    const [account] = accounts;
    if (account) {
      memory.delete(account.username);
      memory.set(account.username, { account, readAt: now() });
      if (memory.size > REMEMBERED) memory.delete(memory.keys().next().value as string);
    }
    return accounts;
  };

  const authenticateSession = async (value: string, usernames: readonly string[]) => {
    const { name, sub, sst } = await verifySession(runtime, value, publicKeys);
    const known = memory.get(name);
    const due = !known || isActivityDue(known.account, now());
    const noted = due ? quietly(noteSession(runtime, name, sub, sst)) : undefined;
    const [caller, ...accounts] = await read([name, ...usernames]).catch((error) => {
      if (isOutage(error) && usernames.length === 0 && known && now() - known.readAt <= STALE_MS)
        return [known.account];
      throw error;
    });
    if (caller?.id !== sub || caller.stamp !== sst) throw new Failure('unauthenticated');
    return admit(runtime, caller, accounts, noted);
  };

  return ({ kind, value }, usernames = []) =>
    kind === 'api-token'
      ? authenticateApiToken(runtime, value, usernames)
      : authenticateSession(value, usernames);
}

/** Verifies an API token against the table; nothing of it is ever remembered, so its deletion acts at once. */
export async function authenticateApiToken(
  runtime: Runtime,
  value: string,
  usernames: readonly string[] = [],
): Promise<Authentication> {
  const token = await get<TokenItem>(runtime.table, tokenKey(hashApiToken(value)));
  if (!token) throw new Failure('unauthenticated');
  const noted = quietly(noteToken(runtime, token));
  const [caller, ...accounts] = await readAccounts(runtime.table, [token.username, ...usernames]);
  if (caller?.id !== token.userid) throw new Failure('unauthenticated');
  return admit(runtime, caller, accounts, noted);
}

function admit(
  runtime: Runtime,
  caller: Account,
  accounts: readonly (Account | undefined)[],
  noted: Promise<unknown> | undefined,
): Authentication {
  if (!mayAuthenticate(caller)) throw new Failure('unauthenticated');
  return { caller, accounts, noted: Promise.all([noted, quietly(noteDay(runtime, caller))]) };
}
