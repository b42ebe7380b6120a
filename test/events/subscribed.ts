import { join } from 'node:path';
import { openTarget } from '../../infra/admin/target.ts';
import { readDeliveryQueue } from '../../infra/local/services/delivery-queue.ts';
import { newFolder } from '../integration/folder.ts';
import { type InstanceProcess, startInstance } from '../integration/instance-process.ts';
import { openPosts } from '../unit/local/posts.ts';

/** A local instance with its own bus, which posts every event to a subscriber that can be down. */
export async function openSubscribed() {
  const data = await newFolder();
  let posts = await openPosts();
  const args = ['--no-demo', '--subscribe', posts.url];
  const env = { Settings__BcryptCost: '10' };
  let instance: InstanceProcess = await startInstance({ data, args, env });
  const token = instance.ready.admin.token as string;
  return {
    service: () => ({ url: instance.ready.url, token }),
    /** The table of the instance, as it is reached now. */
    async onTable<T>(
      work: (table: Awaited<ReturnType<typeof openTarget>>['runtime']['table']) => Promise<T>,
    ) {
      const { table } = (await openTarget({ data })).runtime;
      try {
        return await work(table);
      } finally {
        table.client.destroy();
      }
    },
    posts: () => posts,
    /** How many events wait for the subscriber. */
    waiting: () => readDeliveryQueue(join(data, 'subscriber.sqlite')).length,
    subscriberDown: () => posts.close(),
    /** What came before is forgotten. */
    async subscriberUp() {
      posts = await openPosts(undefined, posts.port);
    },
    /** Ends the instance in this way, and starts it again. */
    async restart(end: 'kill' | 'stop') {
      await instance[end]();
      instance = await startInstance({ data, args, env });
    },
    async close() {
      await instance.stop();
      await posts.close();
    },
  };
}

export type Subscribed = Awaited<ReturnType<typeof openSubscribed>>;
