import { CORS } from '#lib/contract/cors';
import { routes } from '#lib/routes';
import type { WireResponse } from './response.ts';

const METHODS = [...new Set(routes.map(({ method }) => method))].join(',');

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Cross-origin requests as the gateway treats them once origins are allowed. It answers preflights of every path itself.
 * In all other responses it replaces the CORS headers of functions by its own.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export function openCors(origins: readonly string[]) {
  const originOf = ({ origin }: Headers) =>
    typeof origin === 'string' && origins.includes(origin) ? origin : undefined;
  const common = (origin: string) => ({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': CORS.exposedHeaders.join(),
  });

  return {
    preflight(method: string, headers: Headers): WireResponse | undefined {
      const isPreflight =
        method === 'OPTIONS' && headers['origin'] && headers['access-control-request-method'];
      if (origins.length === 0 || !isPreflight) return undefined;
      const origin = originOf(headers);
      const allowed = origin && {
        ...common(origin),
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': CORS.allowedHeaders.join(),
        'access-control-max-age': String(CORS.maxAgeSeconds),
      };
      return { status: 204, headers: allowed || {}, body: Buffer.alloc(0) };
    },

    apply(response: WireResponse, headers: Headers): WireResponse {
      if (origins.length === 0) return response;
      const origin = originOf(headers);
      const others = Object.entries(response.headers).filter(([name]) => !name.startsWith('access-control-'));
      return { ...response, headers: { ...Object.fromEntries(others), ...(origin && common(origin)) } };
    },
  };
}
