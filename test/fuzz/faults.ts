import type { Contract } from '#lib/contract/contract';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { OAUTH_ERRORS, type OAuthErrorCode } from '#lib/oauth/failure';
import { routes } from '#lib/routes';
import { openRouter } from '../../infra/local/services/gateway/router.ts';
import { undocumented } from '../openapi/checked.ts';
import type { FuzzRequest } from './requests.ts';
import type { Answer, Write } from './service.ts';

/** Longest time of an answer. */
export const MAX_MS = 5000;

const routeOf = openRouter(routes);

/** The endpoint that answers a request, `malformed` or undefined where that is the gateway. */
function endpointOf({ method, target }: FuzzRequest): Contract | 'malformed' | undefined {
  const match = routeOf(method, target);
  return typeof match === 'object' ? match.route.contract : match;
}

/** `data.code` of a refusal. */
function codeOf({ status, text }: Answer): string | undefined {
  if (status < 400) return undefined;
  return (parsed(text) as { data?: { code?: string } } | undefined)?.data?.code;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All faults of an answer. */
export function faultsOf(request: FuzzRequest, answer: Answer, writes: readonly Write[]): string[] {
  const { status, headers, text, ms } = answer;
  const endpoint = endpointOf(request);
  const faults: string[] = [];
  const expect = (what: string, holds: boolean) => holds || faults.push(what);
  const header = (name: string) => String(headers[name] ?? '');
  expect(`the status is ${status}`, status < 500);
  expect(`it took ${Math.round(ms)} ms`, ms <= MAX_MS);
  expect(`it was refused, and wrote: ${writes.join('; ')}`, status < 400 || writes.length === 0);
  if (headers['x-request-id'] === undefined && GATEWAY[status]?.(request, endpoint)) {
    if (request.method !== 'HEAD')
      expect('the gateway answers a message', /^\{"message":"[\w ]+"\}$/.test(text));
    return faults;
  }
  if (typeof endpoint !== 'object') return [...faults, 'a function answers what has no route'];

  const type = text && header('content-type').replace(/;.*/, '');
  const payload = type.includes('json') ? parsed(text) : text;
  const seen = { status, type, isOwn: true, header, payload };
  const fault = undocumented(request.method, request.target, seen);
  expect(fault ?? '', fault === undefined);
  if (status < 400) return faults;
  expect('retry-after', status !== 429 || /^[1-9]\d*$/.test(header('retry-after')));
  if (endpoint.errors === 'oauth') {
    const { error } = (payload ?? {}) as { error?: OAuthErrorCode };
    return [...faults, ...oauthFaults(status, error, header('www-authenticate'))];
  }
  expect('www-authenticate', (status === 401) === header('www-authenticate').startsWith('Bearer'));
  if (request.method === 'HEAD') return [...faults, ...(text ? ['HEAD has a body'] : [])];
  const { text: sentence, status: own } = FAILURES[codeOf(answer) as FailureCode] ?? {};
  expect('the status of the code', status === own);
  // Advice may follow the text.
  const { message } = (payload ?? {}) as { message?: string };
  expect('the text of the code', `${message} `.startsWith(`${sentence} `));
  return faults;
}

/** What is wrong with a refusal of the token endpoint, whose errors have statuses of RFC 6749 section 5.2. */
function oauthFaults(status: number, error: OAuthErrorCode | undefined, challenge: string): string[] {
  const isClient = error === 'invalid_client';
  const hasStatus = isClient === (status === 401) && (error === 'server_error') === (status === 500);
  return [
    ...(error && OAUTH_ERRORS.includes(error) ? [] : ['an error that OAuth 2.0 does not have']),
    ...(hasStatus ? [] : ['the status of the error']),
    ...(challenge === '' || (isClient && challenge.startsWith('Basic ')) ? [] : ['www-authenticate']),
  ];
}

const headBytes = ({ target, headers }: FuzzRequest) => target.length + headers.flat().join(': \r\n').length;

/** Answers of the gateway itself, and their conditions. */
const GATEWAY: Readonly<
  Record<number, (request: FuzzRequest, endpoint: ReturnType<typeof endpointOf>) => boolean>
> = {
  400: (_, endpoint) => endpoint === 'malformed',
  404: (_, endpoint) => endpoint === undefined,
  431: (request) => headBytes(request) > 8000,
};
