import { createAccount } from '#lib/account/create';
import { inParallel } from '#lib/async/in-parallel';
import { settingsFromEnvironment } from '#lib/instance/settings';
import { runtimeOn } from '#lib/runtime';
import type { Table } from '#lib/table/table';

/** The answers to cancels of one account. */
export interface Asked {
  readonly username: string;
  cancels: number;
  /** Answered 200, and those of them that reported a change. */
  ok: number;
  changed: number;
}

/** Creates accounts in a table, whose names have a prefix. */
export async function createAccounts(table: Table, prefix: string, count: number): Promise<Asked[]> {
  const settings = settingsFromEnvironment({});
  // Nobody is erased.
  const hashName = async (name: string) => name;
  const runtime = { ...runtimeOn(table, 'local', settings), publish: async () => [], hashName };
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  await inParallel(names, (username) => createAccount(runtime, { username }), 8);
  return names.map((username) => ({ username, cancels: 0, ok: 0, changed: 0 }));
}

interface Service {
  readonly url: string;
  readonly token: string;
}

/** The status of an answer, and whether it reports a change; 0 without an answer. */
async function change({ url, token }: Service, verb: 'cancel' | 'reactivate', username: string) {
  try {
    const headers = { authorization: `Token ${token}` };
    const response = await fetch(`${url}/api/core/account/${verb}/${username}`, { method: 'POST', headers });
    const { data } = (await response.json()) as { data?: { changed?: boolean } };
    return { status: response.status, changed: data?.changed === true };
  } catch {
    return { status: 0, changed: false };
  }
}

/** Requests one cancel of an account, and counts its answer. */
export async function cancel(service: Service, account: Asked): Promise<void> {
  const { status, changed } = await change(service, 'cancel', account.username);
  account.cancels += 1;
  if (status === 200) account.ok += 1;
  if (status === 200 && changed) account.changed += 1;
}

/** Cancels each account, reactivates every third one and cancels it again. */
export const cancelAll = (service: () => Service, accounts: readonly Asked[]) =>
  inParallel(
    [...accounts.entries()],
    async ([n, account]) => {
      await cancel(service(), account);
      if (n % 3 > 0) return;
      await change(service(), 'reactivate', account.username);
      await cancel(service(), account);
    },
    8,
  );
