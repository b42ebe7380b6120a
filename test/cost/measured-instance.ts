import { openTarget } from '../../infra/admin/target.ts';
import { startWatchedInstance } from '../integration/watched-instance.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import type { Wire } from './measure.ts';
import { type Instance, logIn } from './subjects.ts';

/** An instance for functions to be measured on: all that they send to its table and its bus is seen. */
export async function startMeasuredInstance() {
  const watched = await startWatchedInstance({
    delayMs: 0,
    args: ['--no-demo'],
    env: { Settings__BcryptCost: '12' },
  });
  const { ready } = watched.instance;
  const bus = await openProxy(ready.events, 0);
  const { runtime, actor } = await openTarget(watched);
  const wire: Wire = {
    table: watched.proxy.commands,
    bus: bus.commands,
    settled: () => Promise.all([watched.proxy.settled(), bus.settled()]),
    endpoints: { dynamodb: watched.proxy.url, events: bus.url, secretsmanager: ready.secretsmanager },
    tableName: ready.table,
  };
  const instance: Instance = {
    runtime,
    actor,
    url: ready.url,
    administrator: ready.admin.username,
    token: ready.admin.token as string,
    jwt: await logIn(ready.url, ready.admin.password as string, ready.admin.username),
  };
  return {
    data: watched.data,
    wire,
    instance,
    /** Forgets what was sent so far. */
    reset() {
      watched.proxy.reset();
      bus.reset();
    },
    async stop() {
      bus.close();
      await watched.stop();
    },
  };
}
