import type { GatewayEvent } from '#lib/contract/gateway-event';

/** A request as API Gateway passes it; by default a GET without parameters. */
export const gatewayEvent = (
  part: Partial<GatewayEvent> & { method?: string; sourceIp?: string } = {},
): GatewayEvent => {
  const { method = 'GET', sourceIp = '192.0.2.1', ...event } = part;
  return {
    version: '2.0',
    routeKey: `${method} /`,
    rawPath: '/',
    rawQueryString: '',
    headers: {},
    isBase64Encoded: false,
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path: '/', protocol: 'HTTP/1.1', sourceIp, userAgent: 'test' },
      requestId: 'request-1',
      routeKey: `${method} /`,
      stage: '$default',
      time: '20/Nov/2026:05:30:00 +0000',
      timeEpoch: 1_795_152_600_000,
    },
    ...event,
  };
};
