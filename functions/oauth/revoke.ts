import { credentialOf } from '#lib/auth/credential';
import { endpoint } from '#lib/handler/endpoint';
import { revokeCredential } from '#lib/oauth/revoke';
import { contract } from '#lib/oauth/revoke.contract';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Ends the credential in the body: possession of it is the right to end it (RFC 7009). */
export const handler = endpoint(
  contract,
  ({ authenticate, body, actor, event, limits }, runtime) => {
    const { value } = credentialOf(event, runtime.settings.AllowQueryToken);
    return revokeCredential(runtime, authenticate, body.token, actor, { value, limits });
  },
  { publish: publisherFromEnvironment },
);
