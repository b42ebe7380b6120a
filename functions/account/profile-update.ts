import { Answer } from '#lib/contract/answer';
import { endpoint } from '#lib/function/endpoint';
import { profileUpdate } from '#lib/profile/contracts';
import { etagOf } from '#lib/profile/etag';
import { updateProfile } from '#lib/profile/update';

/**
 * Changes fields of a profile: the caller's, or as an administrator that of the `username` in the body.
 *
 * All fields change together or none does.
 */
export const handler = endpoint(
  profileUpdate,
  async ({ caller, body, headers: { 'if-match': ifMatch } }, runtime) => {
    const data = await updateProfile(runtime, caller, body, ifMatch);
    return new Answer(data, { headers: { etag: etagOf(data) } });
  },
);
