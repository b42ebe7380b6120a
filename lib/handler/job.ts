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

/** Creates the function of a job without a table; otherwise as {@link job}. */
export function jobWithoutTable<const J extends Job, Event, Result>(
  definition: J,
  run: (event: Event, resources: ResourcesOf<J>) => Promise<Result>,
  ...openers: Openers<J>
) {
  // A job without a table has no runtime; its resources are opened without one.
  const resources = open<J>(openers, undefined as never);
  return logged(definition, (event: Event) => run(event, resources));
}

const logged = <Event, Result>({ id }: Job, run: (event: Event, requestId: string) => Promise<Result>) =>
  middy<Event, Result>()
    .onError(({ error, context }) => {
      // A returned value would become the answer, and turn the failure into a success.
      log('error', { function: id, requestId: context.awsRequestId, error: describe(error) });
    })
    .handler((event, { awsRequestId }) => run(event, awsRequestId));
