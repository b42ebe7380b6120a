import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '#lib/account/create';
import { Failure } from '#lib/failure';
import { pendingEvents, publishPending } from '#lib/outbox/outbox';
import { publisherTo } from '#lib/outbox/publisher';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import type { Service } from './service.ts';

const SOURCES = [
  { username: 'source-one', roles: ['r1'] },
  { username: 'source-two', roles: ['r1', 'r2'] },
] as const;

/** Does it again until it succeeds: the instance may have just been killed. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure && error.code === 'account_exists') return undefined as T;
      await sleep(200);
    }
  }
}

/**
 * A local instance as the clients and the operators of an episode see it.
 *
 * @param url resolves to its base URL, once it is there
 */
export async function onInstance(
  url: () => Promise<string>,
  data: string,
  adminToken: string,
): Promise<Service> {
  const onTarget = <T>(work: (target: Target) => Promise<T>) =>
    persist(async () => {
      await url();
      const target = await openTarget({ data });
      try {
        return await work(target);
      } finally {
        target.runtime.table.client.destroy();
      }
    });
  for (const { username, roles } of SOURCES)
    await onTarget(({ runtime }) => createAccount(runtime, { username, roles: [...roles] }));

  return {
    url,
    adminToken,
    sources: SOURCES,
    create: async (username) => {
      await onTarget(({ runtime }) => createAccount(runtime, { username }));
    },
    events: (username) =>
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
