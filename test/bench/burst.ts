import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '#lib/account/create';
import { readStatistics } from '#lib/stats/statistics';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { openTarget } from '../../infra/admin/target.ts';
import { startInstance } from '../integration/instance-process.ts';
import { setLastActive } from '../integration/last-active.ts';
import { inParallel } from '../unit/support/in-parallel.ts';
import type { Benchmark, Row } from './report.ts';
import { send } from './subjects.ts';

const ACCOUNTS = 2000;
const AT_ONCE = 50;

/**
 * 2,000 accounts come on their first request of a day, 50 at once, on an instance that all of them have used before: how
 * long their requests take beside the same requests a moment later, when nothing of them is counted any more.
 */
export const burst: Benchmark = async ({ tell }) => {
  const data = await mkdtemp(join(tmpdir(), 'burst-'));
  const instance = await startInstance({ data, args: ['--no-demo'] });
  try {
    const { runtime, actor } = await openTarget({ data });
    const { url } = instance.ready;
    const ping = (token: string) => send(url, { method: 'GET', path: '/api/core/system/ping', token });
    const names = Array.from({ length: ACCOUNTS }, (_, n) => `burst-${n}`);

    tell('accounts and tokens');
    const tokens = await inParallel(
      names,
      async (username) => {
        const account = await createAccount(runtime, { username });
        return (await createToken(runtime, account, 'burst', actor)).value as string;
      },
      AT_ONCE,
    );
    tell('once, so that all is warm');
    await inParallel(tokens, ping, AT_ONCE);
    await settled(runtime);
    await inParallel(
      names,
      (username) => setLastActive(runtime.table, username, Date.now() - DAY_MS, Date.now()),
      AT_ONCE,
    );
    const before = await readStatistics(runtime.table, Date.now());

    tell('the first request of a day');
    const first = await inParallel(tokens, (token) => timed(() => ping(token)), AT_ONCE);
    tell('the next');
    const next = await inParallel(tokens, (token) => timed(() => ping(token)), AT_ONCE);
    await settled(runtime);
    const after = await readStatistics(runtime.table, Date.now());

    const at = (times: readonly number[], share: number) =>
      times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] as number;
    const row = (label: string, share: number): Row => [
      label,
      at(first, share),
      at(next, share),
      at(first, share) / at(next, share),
    ];
    return {
      title: `${ACCOUNTS} accounts on their first request of a day, ${AT_ONCE} at once, in ms from request to answer; active today were ${before.today} before and ${after.today} after, of ${after.count} accounts.`,
      columns: ['first of the day', '    next', 'next = 1'],
      rows: [row('the middle one', 0.5), row('99 of 100', 0.99), row('the slowest', 1)],
    };
  } finally {
    await instance.stop();
    await rm(data, { recursive: true });
  }
};

type Target = Awaited<ReturnType<typeof openTarget>>['runtime'];

/** Activity that an answer did not wait for. */
async function settled({ table }: Target): Promise<void> {
  for (let last = -1; ; ) {
    const { today } = await readStatistics(table, Date.now());
    if (today === last) return;
    last = today;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
