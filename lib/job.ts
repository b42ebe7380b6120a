import middy from '@middy/core';
import type { Job } from './http/contract.ts';
import { describe, log } from './log.ts';
import { type Runtime, runtimeFromEnvironment } from './runtime.ts';

/** The function of a job: what it throws is logged without any input, and makes the invocation fail. */
export function job<Event, Result>({ id }: Job, run: (event: Event, runtime: Runtime) => Promise<Result>) {
  const runtime = runtimeFromEnvironment();
  return middy<Event, Result>()
    .onError(({ error }) => {
      // A value returned from here would be the answer, and the failure a success.
      log('error', { function: id, error: describe(error) });
    })
    .handler((event: Event) => run(event, runtime));
}
