import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ACCOUNT_ID } from '../machine/resource-names.ts';
import { type Match, splitTarget } from './router.ts';

export interface WireRequest {
  readonly method: string;
  /** As sent, with the query. */
  readonly target: string;
  readonly protocol: string;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly receivedAt: Date;
}

/**
 * The event of a request: HTTP API, payload format 2.0. What is empty is absent.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function toEvent(request: WireRequest, { route, rawPath, params }: Match): APIGatewayProxyEventV2 {
  const { cookies, headers } = headersOf(request.rawHeaders);
  const { rawQueryString } = splitTarget(request.target);
  const query = queryParameters(rawQueryString);
  const routeKey = `${route.method} ${route.path}`;
  const domainName = headers['host']?.replace(/:\d+$/, '') ?? '';
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers: { ...headers, ...forwarded(headers, request) },
    ...(query ? { queryStringParameters: query } : {}),
    requestContext: {
      accountId: ACCOUNT_ID,
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method: request.method,
        path: rawPath,
        protocol: request.protocol,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(request.receivedAt),
      timeEpoch: request.receivedAt.getTime(),
    },
    ...(Object.keys(params).length > 0 ? { pathParameters: params } : {}),
    ...encodeBody(request.body, headers['content-type']),
  };
}

/** Those that concern only the connection (RFC 9110 section 7.6.1), which ends at the gateway. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Names in lower case, repeated headers joined with a comma, cookies apart. */
function headersOf(rawHeaders: readonly string[]) {
  const cookies: string[] = [];
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = (rawHeaders[index + 1] as string).trim();
    if (HOP_BY_HOP.has(name)) continue;
    const before = headers.get(name);
    if (name === 'cookie') cookies.push(...value.split(';').flatMap((cookie) => cookie.trim() || []));
    else headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return { cookies, headers: Object.fromEntries(headers) as Record<string, string> };
}

/** What the gateway itself says of a request; a client may have written the front of `x-forwarded-for`. */
function forwarded(headers: Readonly<Record<string, string>>, { sourceIp, requestId, body }: WireRequest) {
  const before = headers['x-forwarded-for'];
  return {
    'content-length': String(body.length),
    'x-amzn-trace-id': `Root=1-${requestId.slice(0, 8)}-${requestId.replaceAll('-', '').slice(8)}`,
    'x-forwarded-for': before ? `${before}, ${sourceIp}` : sourceIp,
    'x-forwarded-port': headers['host']?.split(':')[1] ?? '80',
    'x-forwarded-proto': 'http',
  };
}

/** Decoded as a form, repeated parameters joined with a comma. */
function queryParameters(rawQueryString: string): Record<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(`?${rawQueryString}`)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return parameters.size > 0 ? Object.fromEntries(parameters) : undefined;
}

const TEXT = /^(text\/[^\s;]+|application\/(json|xml|javascript))\s*(;|$)/i;

/** As it is where the type says that it is text, and it is; in base64 otherwise. */
function encodeBody(body: Uint8Array, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const text = TEXT.test(contentType) ? utf8(body) : undefined;
  return text === undefined
    ? { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }
    : { body: text, isBase64Encoded: false };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** `20/Nov/2026:05:30:00 +0000` */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
