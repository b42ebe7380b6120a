import type { Contract } from '../contract/contract.ts';
import { type GatewayEvent, originOf } from '../contract/gateway-event.ts';
import { forbidden } from '../failure/failure.ts';

/** Whether an endpoint accepts the cookie from its own site and the allowed origins only. */
export const isSameSiteOnly = ({ access, unsafe }: Contract, method: string): boolean =>
  access !== 'public' && (unsafe === true || method !== 'GET');

/**
 * Refuses a request with the cookie that another site has made a browser send; its own site and the allowed origins
 * pass. `Sec-Fetch-Site` (W3C Fetch Metadata) decides if it is sent, otherwise `Origin`; only browsers send either. A
 * GET that loads a part of a page, such as an image, is refused from every site.
 *
 * @param allowedOrigins the setting `CorsAllowedOrigins`
 * @throws Failure `forbidden`
 */
export function checkSameSite(
  { headers, requestContext: { http } }: GatewayEvent,
  allowedOrigins: readonly string[],
): void {
  if (http.method === 'GET' && headers['sec-fetch-mode'] === 'no-cors')
    throw forbidden('sec-fetch-mode', 'The cookie is not accepted from images or scripts of a page');
  const origin = headers['origin'];
  if (origin !== undefined && allowedOrigins.includes(origin)) return;
  const site = headers['sec-fetch-site'];
  const isSame =
    site === undefined
      ? origin === undefined || origin === originOf({ headers })
      : site === 'same-origin' || site === 'none';
  if (!isSame)
    throw forbidden(
      site === undefined ? 'origin' : 'sec-fetch-site',
      'The cookie is not accepted from another origin',
    );
}
