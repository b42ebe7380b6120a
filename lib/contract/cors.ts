/** Headers that browsers of allowed origins may send and read (W3C Fetch), in the preflight answers of both gateways. */
export const CORS = {
  allowedHeaders: [
    'authorization',
    'content-type',
    'idempotency-key',
    'if-match',
    'if-none-match',
    'x-batch',
    'x-batch-size',
  ],
  exposedHeaders: [
    'x-request-id',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'etag',
    'www-authenticate',
  ],
  maxAgeSeconds: 3600,
} as const;
