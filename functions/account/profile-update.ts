import { profileUpdate } from '#lib/account/contracts';
import { updateProfile } from '#lib/account/profile-update';
import { endpoint } from '#lib/http/endpoint';

/**
 * Changes fields of a profile: the caller's, or as an administrator that of the `username` in the body.
 *
 * All fields change together or none does.
 */
export const handler = endpoint(profileUpdate, ({ caller, body }, runtime) =>
  updateProfile(runtime, caller, body),
);
