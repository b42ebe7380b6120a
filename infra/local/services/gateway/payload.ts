import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ACCOUNT_ID } from '../../machine/resource-names.ts';
import { type Match, splitTarget } from './router.ts';

export interface WireRequest {
  readonly method: string;
  /** As sent, with the query. */
  readonly target: string;
  readonly protocol: string;
  /** By their names in lower case; a repeated header has several values. */
  readonly headers: IncomingMessage['headersDistinct'];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly receivedAt: Date;
}

/**
 * The event of a request: HTTP API, payload format 2.0. Empty parts are absent.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function toEvent(request: WireRequest, { route, rawPath, params }: Match): APIGatewayProxyEventV2 {
  const { cookies, headers } = headersOf(request.headers);
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

/** Headers of the connection only (RFC 9110 section 7.6.1), which ends at the gateway. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The headers, repeated ones joined with a comma, and the cookies. */
function headersOf({ cookie = [], ...others }: WireRequest['headers']) {
  const kept = Object.entries(others).filter(([name]) => !HOP_BY_HOP.has(name));
  const headers = kept.map(([name, values = []]) => [name, values.join()] as const);
  return {
    cookies: cookie.flatMap((line) => line.split(';').flatMap((one) => one.trim() || [])),
    headers: Object.fromEntries(headers),
  };
}

/** Headers that the gateway sets; a client may have sent the beginning of `x-forwarded-for`. */
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

/** The parameters of a query, decoded as a form; repeated ones are joined with a comma. */
function queryParameters(rawQueryString: string): Record<string, string> | undefined {
  const parameters = new URLSearchParams(`?${rawQueryString}`);
  const joined = [...parameters.keys()].map((name) => [name, parameters.getAll(name).join()] as const);
  return joined.length > 0 ? Object.fromEntries(joined) : undefined;
}

const TEXT = /^(text\/[^\s;]+|application\/(json|xml|javascript))\s*(;|$)/i;

/** The body as text if its type is one of text and it is UTF-8, otherwise in base64. */
function encodeBody(body: Buffer, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = TEXT.test(contentType) && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** `20/Nov/2026:05:30:00 +0000` */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
