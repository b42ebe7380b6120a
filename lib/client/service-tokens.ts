import type { IssuedToken, Presenter } from './presenter.ts';

/** Time before the end of a token from which the next one is requested: no request with it arrives too late. */
const MARGIN_MS = 60_000;

/** A token for another service. */
interface Held {
  readonly token: Promise<string>;
  /** Header of the credential that it was issued for. */
  by: string;
  /** In milliseconds since the epoch; infinite until the token has come. */
  renewAt: number;
}

/**
 * Answers tokens for other services. Parallel calls for an audience share one exchange, and later ones its token, for as
 * long as the credential is the same.
 *
 * @param exchange exchanges the secret of a header
 */
export function serviceTokens(
  caller: Presenter,
  exchange: (authorization: string, resource: string) => Promise<IssuedToken>,
): (audience: string) => Promise<string> {
  const held = new Map<string, Held>();

  return async (audience) => {
    const by = present(await caller.authorization());
    const known = held.get(audience);
    if (known?.by === by && Date.now() < known.renewAt) return known.token;
    const issue = async (authorization: string) => {
      const { access_token, expires_in } = await exchange(authorization, audience);
      next.by = authorization;
      next.renewAt = Date.now() + expires_in * 1000 - MARGIN_MS;
      return access_token;
    };
    const token = issue(by)
      .catch(async (error) => {
        // So is a session refused that has ended (RFC 8693 section 2.2.2).
        if (!caller.renewable || error?.code !== 'invalid_request') throw error;
        return issue(present(await caller.authorization(by)));
      })
      .catch((error) => {
        if (held.get(audience) === next) held.delete(audience);
        throw error;
      });
    const next: Held = { token, by, renewAt: Number.POSITIVE_INFINITY };
    held.set(audience, next);
    return token;
  };
}

/** @throws TypeError without a credential */
function present(authorization: string | undefined): string {
  if (authorization !== undefined) return authorization;
  throw new TypeError('tokenFor needs a credential: cookies are never exchanged');
}
