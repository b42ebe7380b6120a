import { etagOf } from '#lib/account/profile/etag';
import { contract } from '#lib/account/profile/profile-update.contract';
import { updateProfile } from '#lib/account/profile/update';
import { Answer } from '#lib/contract/answer';
import { endpoint } from '#lib/handler/endpoint';

/** Changes fields of the caller's profile; administrators may name another account as `username` in the body. */
export const handler = endpoint(
  contract,
  async ({ caller, body, headers: { 'if-match': ifMatch } }, runtime) => {
    const data = await updateProfile(runtime, caller, body, ifMatch);
    return new Answer(data, { headers: { etag: etagOf(data) } });
  },
);
