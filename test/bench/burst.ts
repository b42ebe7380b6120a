import { createAccount } from '#lib/account/create';
import { inParallel } from '#lib/async/in-parallel';
import { readStatistics } from '#lib/stats/statistics';
import type { Table } from '#lib/table/table';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { openTarget } from '../../infra/admin/target.ts';
import { startInstance } from '../integration/instance-process.ts';
import { setLastActive } from '../integration/last-active.ts';
import { newFolder } from '../unit/support/folder.ts';
import { type Benchmark, quantile, type Row } from './report.ts';
import { send } from './subjects.ts';

const ACCOUNTS = 2000;
const AT_ONCE = 50;

/**
 * 2,000 accounts send their first request of a day, 50 at once, to an instance that all of them have used before. The unit
 * is the time of the same requests a moment later, when none of them is counted.
 */
export const burst: Benchmark = async ({ tell }) => {
  await using open = new AsyncDisposableStack();
  const data = newFolder();
  const instance = open.adopt(
    await startInstance({ data, args: ['--no-demo'] }),
    async (one) => void (await one.stop()),
  );
  const { runtime, actor } = await openTarget({ data });
  const { table } = runtime;
  const names = Array.from({ length: ACCOUNTS }, (_, n) => `burst-${n}`);
  const forEach = <T, R>(items: readonly T[], work: (item: T) => Promise<R>) =>
    inParallel(items, work, AT_ONCE);

  tell('accounts and tokens');
  const tokens = await forEach(names, async (username) => {
    const account = await createAccount(runtime, { username });
    return (await createToken(runtime, account, 'burst', actor)).value as string;
  });
  /** The times of a ping of each account. */
  const pings = (what: string) => {
    tell(what);
    return forEach(tokens, async (token) => {
      const began = performance.now();
      await send(instance.ready.url, { method: 'GET', path: '/api/core/system/ping', token });
      return performance.now() - began;
    });
  };
  await pings('once, so that all is warm');
  await settled(table);
  await forEach(names, (username) => setLastActive(table, username, Date.now() - DAY_MS, Date.now()));
  const before = await readStatistics(table, Date.now());
  const first = await pings('the first request of a day');
  const next = await pings('the next');
  await settled(table);
  const after = await readStatistics(table, Date.now());

  const row = (label: string, share: number): Row => {
    const [one, other] = [quantile(first, share), quantile(next, share)];
    return [label, one, other, one / other];
  };
  return {
    title: `${ACCOUNTS} accounts on their first request of a day, ${AT_ONCE} at once, in ms from request to answer; active today were ${before.today} before and ${after.today} after, of ${after.count} accounts.`,
    columns: ['first of the day', '    next', 'next = 1'],
    rows: [row('the middle one', 0.5), row('99 of 100', 0.99), row('the slowest', 1)],
  };
};

/** Waits for the activity that an answer did not wait for. */
async function settled(table: Table): Promise<void> {
  for (let last = -1; ; ) {
    const { today } = await readStatistics(table, Date.now());
    if (today === last) return;
    last = today;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
