import { afterAll, beforeEach, vi } from 'vitest';
import { type Input, type Operations, serveAwsJson } from '../../../infra/local/machine/serve-aws.ts';

/** Decides the answer to a call, or throws a ServiceError; undefined lets the service answer. */
export type AwsScript = (operation: string, input: Input) => object | undefined;

/**
 * A service of AWS that this process reaches as functions and operators do, by a variable of the environment. Every test
 * begins without calls and without a script. Call it once at the top of a test file.
 */
export async function openScriptedAws(
  target: string,
  variable: string,
  services: Operations,
  accessKeyId = 'local',
) {
  const calls: { readonly operation: string; readonly input: Input }[] = [];
  let script: AwsScript = () => undefined;
  const scripted = Object.entries(services).map(([operation, run]) => [
    operation,
    (input: Input) => {
      calls.push({ operation, input });
      return script(operation, input) ?? run(input);
    },
  ]);
  const { url, close } = await serveAwsJson(target, Object.fromEntries(scripted), accessKeyId);
  vi.stubEnv(variable, url);
  beforeEach(() => {
    script = () => undefined;
    calls.length = 0;
  });
  afterAll(close);
  return {
    url,
    calls,
    operations: () => calls.map(({ operation }) => operation),
    /** Sets the script that decides from now on. */
    script(next: AwsScript) {
      script = next;
    },
  };
}
