import { endpoint } from '#lib/function/endpoint';
import { profile } from '#lib/profile/contracts';
import { readProfile } from '#lib/profile/profile';

/**
 * Reads a profile: the caller's, or as an administrator anyone's.
 *
 * One read after authentication, of the free-form properties.
 */
export const handler = endpoint(profile, ({ accounts: [account], query }, runtime) =>
  readProfile(runtime, account, query.pscope),
);
