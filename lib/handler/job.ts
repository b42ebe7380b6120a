import middy from '@middy/core';
import type { Job } from '../contract/contract.ts';
import { describe, log } from '../log/log.ts';
import { type Runtime, runtimeFromEnvironment } from '../runtime.ts';
import { type Openers, open, type ResourcesOf } from './resources.ts';

/**
 * Creates the function of a job. Its errors are logged without any input, and fail the invocation.
 *
 * @param openers openers of the resources that the job needs
 */
export function job<const J extends Job, Event, Result>(
  definition: J,
  run: (event: Event, runtime: Runtime & ResourcesOf<J>, requestId: string) => Promise<Result>,
  ...openers: Openers<J>
) {
  const own = runtimeFromEnvironment();
  const runtime = { ...own, ...open<J>(openers, own) };
  return logged(definition, (event: Event, requestId) => run(event, runtime, requestId));
}

/** Creates the function of a job without needs, and so without a runtime; otherwise as {@link job}. */
export const jobWithoutTable = <Event, Result>(
  definition: Job & { readonly needs: readonly [] },
  run: (event: Event) => Promise<Result>,
) => logged(definition, run);

const logged = <Event, Result>({ id }: Job, run: (event: Event, requestId: string) => Promise<Result>) =>
  middy<Event, Result>()
    .onError(({ error, context }) => {
      // A returned value would become the answer, and turn the failure into a success.
      log('error', { function: id, requestId: context.awsRequestId, error: describe(error) });
    })
    .handler((event, { awsRequestId }) => run(event, awsRequestId));
