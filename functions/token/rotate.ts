import { repeatableOf } from '#lib/auth/repeatable';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { rotate } from '#lib/token/contracts';
import { tokenOnce } from '#lib/token/create-once';
import { rotateToken } from '#lib/token/rotate';

/**
 * Replaces the secret of a token and answers the new one, only this time.
 *
 * Two reads and one transaction after authentication. With an `Idempotency-Key`, one read before them finds the secret of
 * a repeated request.
 */
export const handler = endpoint(
  rotate,
  (request, runtime) => {
    const {
      actor,
      accounts: [owner],
      params: { token_name: name },
      body,
    } = request;
    const { overlap_minutes: overlap = 0 } = body;
    const repeatable = repeatableOf(request, runtime);
    // The space separates its keys from those of creations, which contain none.
    const keyed = repeatable && { ...repeatable, key: `rotate ${repeatable.key}`, asked: `${overlap}` };
    return tokenOnce(runtime, owner, name, keyed, (note) =>
      rotateToken(runtime, owner, name, actor, overlap, request, note),
    );
  },
  { publish: publisherFromEnvironment },
);
