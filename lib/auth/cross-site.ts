import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure } from '../failure.ts';

/**
 * Tells a request of the own site from one that another site made a browser send with the cookie. `Sec-Fetch-Site` (W3C Fetch
 * Metadata) decides where it is sent, else `Origin`; other clients than browsers send neither.
 *
 * @throws Failure `forbidden`
 */
export function checkSameSite({ headers }: GatewayEvent): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new Failure('forbidden');
    return;
  }
  const origin = headers['origin'];
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === headers['host']))
    throw new Failure('forbidden');
}
