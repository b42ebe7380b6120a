import { endpoint } from '#lib/function/endpoint';
import { profileUpdate } from '#lib/profile/contracts';
import { updateProfile } from '#lib/profile/update';

/**
 * Changes fields of a profile: the caller's, or as an administrator that of the `username` in the body.
 *
 * All fields change together or none does.
 */
export const handler = endpoint(profileUpdate, ({ caller, body }, runtime) =>
  updateProfile(runtime, caller, body),
);
