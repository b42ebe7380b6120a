import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure } from '../failure.ts';

/** @param field the header that decided */
const refused = (field: string, message: string) =>
  new Failure('forbidden', { errors: [{ field, message }] });

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
