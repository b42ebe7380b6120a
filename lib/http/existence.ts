import { Failure } from '../failure.ts';
import type { EndpointMiddleware } from './request.ts';

/** Refuses a path that names an account which does not exist; last, so that only who may know is told. */
export const existence = (): EndpointMiddleware => ({
  before: ({ event }) => {
    if (event.accounts?.includes(undefined)) throw new Failure('account_not_found');
  },
});
