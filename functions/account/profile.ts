import { profile } from '#lib/account/contracts';
import { readProfile } from '#lib/account/profile';
import { endpoint } from '#lib/http/endpoint';

/**
 * Reads a profile: the caller's, or as an administrator anyone's.
 *
 * One read after authentication, of the free-form properties.
 */
export const handler = endpoint(profile, ({ accounts: [account], query }, runtime) =>
  readProfile(runtime, account, query.pscope),
);
