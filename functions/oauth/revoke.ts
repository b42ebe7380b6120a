import { endpoint } from '#lib/handler/endpoint';
import { revoke } from '#lib/oauth/contracts';
import { revokeCredential } from '#lib/oauth/revoke';
import { publisherFromEnvironment } from '#lib/outbox/publisher';

/** Ends the credential in the body: possession of it is the right to end it (RFC 7009). */
export const handler = endpoint(
  revoke,
  ({ authenticate, body, actor }, runtime) => revokeCredential(runtime, authenticate, body.token, actor),
  { publish: publisherFromEnvironment },
);
