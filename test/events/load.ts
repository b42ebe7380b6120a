import { createAccount } from '#lib/account/create';
import { runtimeOn } from '#lib/runtime';
import { readSettings } from '#lib/settings';
import type { Table } from '#lib/table/table';
import { inParallel } from '../in-parallel.ts';

/** What the service answered those who asked for one account to be cancelled. */
export interface Asked {
  readonly username: string;
  /** Cancels that were asked for, and those of them that were answered 200. */
  cancels: number;
  ok: number;
  /** Of these, those that said that they had changed the account. */
  changed: number;
}

export const byName = (username: string): Asked => ({ username, cancels: 0, ok: 0, changed: 0 });

/** Creates accounts in a table, of names that begin alike. */
export async function createAccounts(table: Table, prefix: string, count: number): Promise<Asked[]> {
  const runtime = {
    ...runtimeOn(
      table,
      'local',
      readSettings(() => undefined),
    ),
    publish: async () => [],
  };
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  await inParallel(names, (username) => createAccount(runtime, { username }), 8);
  return names.map(byName);
}

interface Service {
  readonly url: string;
  readonly token: string;
}

/** The status of an answer, and whether it says that it has changed the account; nothing where none came. */
async function ask({ url, token }: Service, verb: 'cancel' | 'reactivate', username: string) {
  try {
    const response = await fetch(`${url}/api/core/account/${verb}/${username}`, {
      method: 'POST',
      headers: { authorization: `Token ${token}` },
    });
    const { data } = (await response.json()) as { data?: { changed?: boolean } };
    return { status: response.status, changed: data?.changed === true };
  } catch {
    return { status: 0, changed: false };
  }
}

/** Asks once for an account to be cancelled, and notes what came of it. */
export async function cancel(service: Service, account: Asked): Promise<void> {
  const { status, changed } = await ask(service, 'cancel', account.username);
  account.cancels += 1;
  if (status === 200) account.ok += 1;
  if (status === 200 && changed) account.changed += 1;
}

/** Asks for each account to be cancelled, and for every third to be reactivated and cancelled again. */
export const cancelAll = (service: () => Service, accounts: readonly Asked[], atOnce = 8) =>
  inParallel(
    [...accounts.entries()],
    async ([n, account]) => {
      await cancel(service(), account);
      if (n % 3 > 0) return;
      await ask(service(), 'reactivate', account.username);
      await cancel(service(), account);
    },
    atOnce,
  );
