import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import { FAILURES, type FailureCode } from '#lib/failure';
import { routes } from '#lib/routes';
import { openRouter } from '../../infra/local/gateway/router.ts';
import type { FuzzRequest } from './requests.ts';
import type { Answer, Write } from './service.ts';

/** No answer takes longer. */
export const MAX_MS = 5000;

const routeOf = openRouter(routes);

const envelope = (success: boolean, message: string, data: z.ZodMiniType) =>
  z.strictObject({
    success: z.literal(success),
    message: z.literal(message),
    requestID: z.uuid(),
    executed_at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)),
    data,
  });

const refusals = new Map(
  Object.entries(FAILURES).map(([code, { text }]) => [
    code,
    envelope(
      false,
      text,
      z.strictObject({
        code: z.literal(code),
        errors: z.optional(z.array(z.strictObject({ field: z.string(), message: z.string() }))),
      }),
    ),
  ]),
);

const successes = new Map(
  routes.map(({ contract: { id, title, response } }) => [
    id,
    title === undefined ? response() : envelope(true, title, response()),
  ]),
);

/** The endpoint that answers a request, `malformed` or undefined where that is the gateway. */
export function endpointOf({ method, target }: FuzzRequest): Contract | 'malformed' | undefined {
  const match = routeOf(method, target);
  return typeof match === 'object' ? match.route.contract : match;
}

/** `data.code` of a refusal. */
export function codeOf({ status, text }: Answer): string | undefined {
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

/** All that is wrong with an answer. */
export function faultsOf(request: FuzzRequest, answer: Answer, writes: readonly Write[]): string[] {
  const { status, headers, text, ms } = answer;
  const endpoint = endpointOf(request);
  const faults: string[] = [];
  const expect = (what: string, holds: boolean) => holds || faults.push(what);
  const header = (name: string) => String(headers[name] ?? '');
  expect(`the status is ${status}`, status < 500);
  expect(`it took ${Math.round(ms)} ms`, ms <= MAX_MS);
  expect(`it was refused, and wrote: ${writes.join('; ')}`, status < 400 || writes.length === 0);

  const own = GATEWAY[status];
  const isGateways = headers['x-request-id'] === undefined && own !== undefined && own(request, endpoint);
  if (isGateways) {
    if (request.method !== 'HEAD')
      expect('the gateway answers a message', /^\{"message":"[\w ]+"\}$/.test(text));
    return faults;
  }
  if (typeof endpoint !== 'object') return [...faults, 'a function answers what has no route'];

  const fits = (schema: z.ZodMiniType | undefined, value: unknown) => {
    const error = schema ? schema.safeParse(value).error : 'it has no documented code';
    expect(`the body does not fit: ${JSON.stringify(error)}`, error === undefined);
    const id = (value as { requestID?: string } | undefined)?.requestID;
    expect('requestID is that of the header', id === undefined || id === header('x-request-id'));
  };
  expect('x-request-id', /^[0-9a-f-]{36}$/.test(header('x-request-id')));
  if (status === 200) {
    const { id, title, produces = [], headers: promised = {} } = endpoint;
    const textType = produces.find((type) => /^text/.test(type) && header('content-type').startsWith(type));
    const all = { 'content-type': textType ? `${textType}; charset=utf-8` : JSON_TYPE, ...promised };
    for (const [name, value] of Object.entries(all)) expect(`${name} is ${value}`, header(name) === value);
    expect('no-store', title === undefined || header('cache-control') === 'no-store');
    fits(successes.get(id), textType ? text : parsed(text));
    return faults;
  }
  if (status === 302 || status === 304) {
    expect('nothing is sent', text === '');
    return faults;
  }
  const code = codeOf(answer);
  fits(refusals.get(code ?? ''), parsed(text));
  expect('the status of the code', status === FAILURES[code as FailureCode]?.status);
  expect('content-type', header('content-type') === JSON_TYPE);
  expect('no-store', header('cache-control') === 'no-store');
  expect('www-authenticate', (status === 401) === header('www-authenticate').startsWith('Bearer'));
  expect('retry-after', status !== 429 || /^[1-9]\d*$/.test(header('retry-after')));
  return faults;
}

const JSON_TYPE = 'application/json; charset=utf-8';

const headBytes = ({ target, headers }: FuzzRequest) => target.length + headers.flat().join(': \r\n').length;

/** What the gateway may answer by itself, and when. */
const GATEWAY: Readonly<
  Record<number, (request: FuzzRequest, endpoint: ReturnType<typeof endpointOf>) => boolean>
> = {
  400: (_, endpoint) => endpoint === 'malformed',
  404: (_, endpoint) => endpoint === undefined,
  431: (request) => headBytes(request) > 8000,
};
