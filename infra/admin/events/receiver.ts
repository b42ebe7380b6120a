import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstanceFile } from '../../local/ready.ts';
import { openSubscription, subscriberEnvironment } from '../../local/subscription.ts';
import { Refusal } from '../refusal.ts';

/** Opens a subscriber: a URL or a module, which prints to standard error and finds the services as this process does. */
export const openReceiver = (named: string) =>
  openSubscription(named, subscriberEnvironment(process.env, awsOf(process.env)), {
    take: (output) => void output.pipe(process.stderr, { end: false }),
  });

const awsOf = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AWS_'))) as Record<
    string,
    string
  >;

/** Reads the subscription of the instance of a data directory. @throws Refusal `no_subscriber` */
export async function subscriptionOf(
  data: string,
): Promise<{ subscribe: string; pattern: string | undefined }> {
  const file = JSON.parse(await readFile(join(data, 'instance.json'), 'utf8')) as InstanceFile;
  const { subscribe, pattern } = file;
  if (subscribe === undefined)
    throw new Refusal(
      'no_subscriber',
      'The instance has no subscriber: start it with npm start -- --subscribe <url or module>',
    );
  return { subscribe, pattern };
}
