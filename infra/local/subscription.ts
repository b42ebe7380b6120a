import { resolve } from 'node:path';
import { parsePattern } from './services/event-bus/event-pattern.ts';
import { openSubscriber, type Send, sendTo } from './services/event-bus/subscriber.ts';
import { openExecutionEnvironment } from './services/lambda/execution-environment.ts';
import type { FunctionLog } from './services/lambda/function-log.ts';
import { openPool } from './services/lambda/pool.ts';

/** Whether `--subscribe` names a URL; otherwise it names a module. */
export const isUrl = (named: string) => /^https?:\/\//.test(named);

const MEMORY_MB = 512;
const TIMEOUT_MS = 30_000;

/** Opens what `--subscribe` names: a URL, or a module that exports a Lambda handler. */
export function openSubscription(
  named: string,
  env: Readonly<Record<string, string>>,
  log: Pick<FunctionLog, 'take'>,
): { readonly send: Send; close(): Promise<void> } {
  if (isUrl(named)) return { send: sendTo(named), close: async () => undefined };
  const data = { id: 'subscriber', file: resolve(named), memory: MEMORY_MB };
  const pool = openPool(() => openExecutionEnvironment(data, env, log), TIMEOUT_MS);
  return { send: (event) => pool.invoke(JSON.stringify(event), event.id), close: pool.close };
}

/** Starts to deliver the events that match the pattern, or all without one, to what `--subscribe` names. */
export function startSubscriber(
  { send, close }: ReturnType<typeof openSubscription>,
  pattern: string | undefined,
) {
  const subscriber = openSubscriber(send, pattern === undefined ? () => true : parsePattern(pattern));
  return { ...subscriber, close: () => Promise.all([subscriber.close(), close()]) };
}

/**
 * The variables of a handler: those of the user, except the administrator's password.
 *
 * @param sdk replaces the variables of AWS
 */
export const subscriberEnvironment = (
  { ADMIN_PASSWORD: _, ...user }: NodeJS.ProcessEnv,
  sdk?: Readonly<Record<string, string>>,
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(user).flatMap(([name, value]) =>
      value === undefined || (sdk && name.startsWith('AWS_')) ? [] : [[name, value]],
    ),
  ),
  ...sdk,
});
