import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod/mini';

export interface WireResponse {
  readonly status: number;
  /** A repeated header has several values. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array;
}

export const gatewayResponse = (status: number, message: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
});

export const NOT_FOUND = gatewayResponse(404, 'Not Found');
export const FUNCTION_FAILED = gatewayResponse(500, 'Internal Server Error');

/** The server sets these itself. */
const OWN = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** A result of a function of this service. A result without a status is a fault here; API Gateway would answer 200. */
const RESULT = z.object({
  statusCode: z.int().check(z.gte(200), z.lte(599)),
  headers: z._default(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {}),
  cookies: z._default(z.array(z.string()), []),
  body: z._default(z.string(), ''),
  isBase64Encoded: z._default(z.boolean(), false),
});

/** The response for the result of a function: HTTP API, payload format 2.0. */
export function toResponse(result: unknown): WireResponse {
  const { data } = RESULT.safeParse(result);
  if (!data) return FUNCTION_FAILED;
  const { statusCode: status, cookies, body, isBase64Encoded } = data;
  const headers: Record<string, string | string[]> = { 'content-type': 'text/plain;charset=UTF-8' };
  try {
    for (const [name, value] of Object.entries(data.headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, String(value));
      if (!OWN.has(name.toLowerCase())) headers[name.toLowerCase()] = String(value);
    }
    for (const cookie of cookies) validateHeaderValue('set-cookie', cookie);
  } catch {
    return FUNCTION_FAILED;
  }
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return { status, headers, body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') };
}
