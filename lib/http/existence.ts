import { Failure } from '../failure/failure.ts';
import type { EndpointMiddleware } from './request.ts';

/** Refuses a path with an unknown account; comes last, so that only permitted callers learn that. */
export const existence = (): EndpointMiddleware => ({
  before: ({ event: { accounts } }) => {
    if (accounts?.includes(undefined)) throw new Failure('account_not_found');
  },
});
