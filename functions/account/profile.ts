import { rolesOf } from '#lib/account/caller';
import { etagOf } from '#lib/account/profile/etag';
import { readProfile } from '#lib/account/profile/profile';
import { contract } from '#lib/account/profile/profile.contract';
import { Answer } from '#lib/contract/answer';
import { namesWeakly } from '#lib/contract/entity-tag';
import { endpoint } from '#lib/handler/endpoint';
import { loginBlockOf } from '#lib/login/refusals';

/** Reads the profile of the caller; administrators may name another account. */
export const handler = endpoint(
  contract,
  async (
    { caller, limits, accounts: [account], query, headers: { 'if-none-match': ifNoneMatch } },
    runtime,
  ) => {
    const data = await readProfile(runtime, account, query.pscope, {
      username: caller.username,
      roles: rolesOf(caller, limits),
      blockOf: loginBlockOf,
    });
    const etag = etagOf(data);
    return new Answer(data, { headers: { etag }, status: namesWeakly(ifNoneMatch, etag) ? 304 : 200 });
  },
);
