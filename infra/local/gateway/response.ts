import { isJsonObject } from '#lib/exact-json';

export interface WireResponse {
  readonly status: number;
  /** A header that stands several times has several values. */
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

/** What may stand in a header (RFC 9110 section 5.5). */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The response for the result of a function: HTTP API, payload format 2.0. */
export function toResponse(result: unknown): WireResponse {
  // A result without a status, which the cloud would answer with 200, is none of a function of this service.
  if (!isJsonObject(result)) return FUNCTION_FAILED;
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  if (!isStatus(statusCode) || !isJsonObject(headers) || !isStrings(cookies) || typeof body !== 'string')
    return FUNCTION_FAILED;

  const shaped: Record<string, string | string[]> = { 'content-type': 'text/plain;charset=UTF-8' };
  for (const [name, value] of Object.entries(headers)) {
    const text = String(value);
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(text)) return FUNCTION_FAILED;
    if (!OWN.has(name.toLowerCase())) shaped[name.toLowerCase()] = text;
  }
  if (!cookies.every((cookie) => HEADER_VALUE.test(cookie))) return FUNCTION_FAILED;
  if (cookies.length > 0) shaped['set-cookie'] = [...cookies];
  return {
    status: statusCode,
    headers: shaped,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599;

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
