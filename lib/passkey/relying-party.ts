import { isIP } from 'node:net';
import type { Settings } from '../instance/settings.ts';

/** To whom the passkeys of an instance belong (WebAuthn level 3). */
export interface RelyingParty {
  /** RP ID: a domain name. */
  readonly id: string;
  readonly name: string;
  /** Origins whose pages may ask for them. */
  readonly origins: readonly string[];
}

const NAME = 'core-account';

/** Whether a host is the domain, or below it. */
const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

/**
 * The relying party of an instance, by its settings alone: a request names neither. An IP address is no RP ID, so an
 * instance at one, such as the local one, is used as `localhost`.
 */
export function relyingParty({
  ApiUrl,
  PasskeyDomain,
  CorsAllowedOrigins,
  OwnerName,
}: Pick<Settings, 'ApiUrl' | 'PasskeyDomain' | 'CorsAllowedOrigins' | 'OwnerName'>): RelyingParty {
  const api = new URL(ApiUrl || 'http://localhost');
  const isAddress = isIP(api.hostname.replace(/^\[|\]$/g, '')) !== 0;
  const own = isAddress ? new URL(`http://localhost:${api.port || 80}`) : api;
  const id = PasskeyDomain || own.hostname;
  const origins = [own.origin, ...CorsAllowedOrigins].filter((origin) =>
    isWithin(new URL(origin).hostname, id),
  );
  return { id, name: OwnerName || NAME, origins };
}
