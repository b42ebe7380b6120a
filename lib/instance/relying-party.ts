import { isIP } from 'node:net';
import type { Settings } from './settings.ts';

/** To whom the passkeys of an instance belong (WebAuthn level 3). */
export interface RelyingParty {
  /** RP ID: a domain name. */
  readonly id: string;
  readonly name: string;
  /** Origins whose pages, or apps, may ask for them. */
  readonly origins: readonly string[];
}

const NAME = 'core-account';

/** Whether a host is the domain, or below it. */
const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

/** The base URL as browsers use it: an IP address is no RP ID, so an instance at one, such as the local one, is `localhost`. */
function baseOf(apiUrl: string): URL {
  const api = new URL(apiUrl || 'http://localhost');
  const isAddress = isIP(api.hostname.replace(/^\[|\]$/g, '')) !== 0;
  return isAddress ? new URL(`http://localhost:${api.port || 80}`) : api;
}

/** The RP ID of an instance: the domain that its passkeys belong to. */
export const relyingPartyId = ({ ApiUrl, PasskeyDomain }: Pick<Settings, 'ApiUrl' | 'PasskeyDomain'>) =>
  PasskeyDomain || baseOf(ApiUrl).hostname;

/** The relying party of an instance, by its settings alone: a request names neither. */
export function relyingParty({
  ApiUrl,
  PasskeyDomain,
  PasskeyOrigins,
  CorsAllowedOrigins,
  OwnerName,
}: Pick<
  Settings,
  'ApiUrl' | 'PasskeyDomain' | 'PasskeyOrigins' | 'CorsAllowedOrigins' | 'OwnerName'
>): RelyingParty {
  const id = relyingPartyId({ ApiUrl, PasskeyDomain });
  const pages = [baseOf(ApiUrl).origin, ...CorsAllowedOrigins].filter((origin) =>
    isWithin(new URL(origin).hostname, id),
  );
  return { id, name: OwnerName || NAME, origins: [...pages, ...PasskeyOrigins] };
}
