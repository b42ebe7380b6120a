import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '#lib/account/create';
import { Failure, ignore } from '#lib/failure/failure';
import { pendingEvents, publishPending } from '#lib/outbox/outbox';
import { publisherTo } from '#lib/outbox/publisher';
import { openTarget, type Target } from '../../infra/admin/target.ts';

const SOURCES = [
  { username: 'source-one', roles: ['r1'] },
  { username: 'source-two', roles: ['r1', 'r2'] },
] as const;

/** A local instance, which may be killed at any time, as the clients and the operators of an episode see it. */
export type Service = Awaited<ReturnType<typeof onInstance>>;

/** @param url resolves to the base URL of the instance, once it is there */
export async function onInstance(url: () => Promise<string>, data: string, adminToken: string) {
  /** Repeats work until it succeeds. */
  const onTarget = async <T>(work: (target: Target) => Promise<T>): Promise<T> => {
    for (;;) {
      await url();
      const target = await openTarget({ data });
      try {
        return await work(target);
      } catch {
        await sleep(200);
      } finally {
        target.runtime.table.client.destroy();
      }
    }
  };
  const create = (username: string, roles: readonly string[] = []) =>
    onTarget(async ({ runtime }) => {
      await createAccount(runtime, { username, roles: [...roles] }).catch(ignore('account_exists'));
    });
  for (const { username, roles } of SOURCES) await create(username, roles);

  return {
    url,
    adminToken,
    /** Accounts whose roles are given by copies. */
    sources: SOURCES,
    create,
    /** The number of events that were published of an account, once none is pending. */
    events: (username: string) =>
      onTarget(async ({ runtime, eventBus }) => {
        const pending = await pendingEvents(runtime.table);
        const failed = await publishPending(runtime.table, publisherTo(eventBus), pending);
        if (failed.length > 0) throw new Failure('unavailable');
        const lines = (await readFile(join(data, 'events.jsonl'), 'utf8')).trim().split('\n').filter(Boolean);
        const details = lines.map((line) => (JSON.parse(line) as { detail: Detail }).detail);
        return new Set(details.filter((detail) => detail.username === username).map(({ id }) => id)).size;
      }),
  };
}

interface Detail {
  readonly id: string;
  readonly username: string;
}
