/** What browsers of the allowed origins may send and read (W3C Fetch); both gateways answer preflights by it. */
export const CORS = {
  allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
  exposedHeaders: ['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'etag'],
  maxAgeSeconds: 3600,
} as const;
