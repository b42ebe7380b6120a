import { type Engine, startEngine } from '../../infra/local/services/engine.ts';
import { newFolder } from '../unit/support/folder.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { DYNAMODB_URL, startInstance } from './instance-process.ts';

/** An instance of its own, whose DynamoDB is reached through a proxy that sees and can disturb every command. */
export async function startWatchedInstance({
  args,
  env,
  prepare = async () => undefined,
}: {
  args?: readonly string[];
  env?: Record<string, string>;
  /** Prepares the DynamoDB of this URL before the instance starts. */
  prepare?: (dynamodb: string) => Promise<unknown>;
}) {
  const data = newFolder();
  const engine = DYNAMODB_URL ? undefined : await startEngine();
  const proxy = await openProxy(DYNAMODB_URL ?? (engine as Engine).url);
  await prepare(proxy.url);
  const instance = await startInstance({
    data,
    ...(args ? { args } : {}),
    env: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url, ...env },
  });
  return {
    data,
    /** DynamoDB without the proxy. */
    dynamodb: DYNAMODB_URL ?? (engine as Engine).url,
    proxy,
    instance,
    async stop() {
      await instance.stop();
      proxy.close();
      await engine?.close();
    },
  };
}
