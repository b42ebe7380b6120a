import { credentialOf } from '#lib/auth/credential';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { rotate } from '#lib/token/contracts';
import { createTokenOnce } from '#lib/token/create-once';
import { rotateToken } from '#lib/token/rotate';

/**
 * Replaces the secret of a token and answers the new one, only this time.
 *
 * Two reads and one transaction after authentication. With an `Idempotency-Key`, one read before them finds the secret of
 * a repeated request.
 */
export const handler = endpoint(
  rotate,
  ({ actor, accounts: [owner], params: { token_name: name }, body, headers, event, ...by }, runtime) => {
    const { overlap_minutes: overlap = 0 } = body;
    const { 'idempotency-key': key } = headers;
    if (key === undefined) return rotateToken(runtime, owner, name, actor, overlap, by);
    const { value: credential } = credentialOf(event, runtime.settings.AllowQueryToken);
    // The space separates it from the keys of creations, which contain none.
    const request = { key: `rotate ${key}`, credential, asked: `${overlap}` };
    return createTokenOnce(runtime, owner, name, actor, request, (note) =>
      rotateToken(runtime, owner, name, actor, overlap, by, note),
    );
  },
  { publish: publisherFromEnvironment },
);
