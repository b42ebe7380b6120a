import { Answer } from '#lib/contract/answer';
import { endpoint } from '#lib/function/endpoint';
import { profile } from '#lib/profile/contracts';
import { etagOf, hasCurrent } from '#lib/profile/etag';
import { readProfile } from '#lib/profile/profile';

/**
 * Reads a profile: the caller's, or as an administrator anyone's.
 *
 * One read after authentication, of the free-form properties.
 */
export const handler = endpoint(
  profile,
  async ({ accounts: [account], query, headers: { 'if-none-match': ifNoneMatch } }, runtime) => {
    const data = await readProfile(runtime, account, query.pscope);
    const etag = etagOf(data);
    return new Answer(data, { headers: { etag }, status: hasCurrent(ifNoneMatch, etag) ? 304 : 200 });
  },
);
