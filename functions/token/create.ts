import { credentialOf } from '#lib/auth/credential';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { create } from '#lib/token/contracts';
import { createToken } from '#lib/token/create';
import { createTokenOnce } from '#lib/token/create-once';

/**
 * Creates a token for an account and answers its secret, only this time.
 *
 * One transaction after authentication. With an `Idempotency-Key`, one read before it finds the token of a repeated
 * request.
 */
export const handler = endpoint(
  create,
  ({ actor, accounts: [owner], params, headers, event }, runtime) => {
    const { 'idempotency-key': key } = headers;
    if (key === undefined) return createToken(runtime, owner, params.token_name, actor);
    const { value: credential } = credentialOf(event, runtime.settings.AllowQueryToken);
    return createTokenOnce(runtime, owner, params.token_name, actor, { key, credential });
  },
  { publish: publisherFromEnvironment },
);
