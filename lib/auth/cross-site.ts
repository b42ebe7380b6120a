import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure } from '../failure.ts';

/** @param field the header that has decided */
const refused = (field: string, message: string) =>
  new Failure('forbidden', { errors: [{ field, message }] });

/**
 * Tells a request of the own site, or of an allowed origin, from one that another site made a browser send with the
 * cookie. `Sec-Fetch-Site` (W3C Fetch Metadata) decides where it is sent, else `Origin`; other clients than browsers
 * send neither. A GET that is to load a part of a page, such as an image, is none that anybody asked for.
 *
 * @param allowedOrigins the setting `CorsAllowedOrigins`
 * @throws Failure `forbidden`
 */
export function checkSameSite(
  { headers, requestContext: { http } }: GatewayEvent,
  allowedOrigins: readonly string[],
): void {
  if (http.method === 'GET' && headers['sec-fetch-mode'] === 'no-cors')
    throw refused('Sec-Fetch-Mode', 'The cookie is not accepted from a part of a page');
  const origin = headers['origin'];
  if (origin !== undefined && allowedOrigins.includes(origin)) return;
  const site = headers['sec-fetch-site'];
  const isSame =
    site === undefined
      ? origin === undefined || (URL.canParse(origin) && new URL(origin).host === headers['host'])
      : site === 'same-origin' || site === 'none';
  if (!isSame)
    throw refused(
      site === undefined ? 'Origin' : 'Sec-Fetch-Site',
      'The cookie is not accepted from another origin',
    );
}
