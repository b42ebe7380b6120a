import type * as z from 'zod/mini';
import { isSameSiteOnly } from '#lib/auth/cross-site';
import type { Contract } from '#lib/contract/contract';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { type Route, textsOf } from '#lib/routes';
import { exampleOf, failureExample } from './examples.ts';
import { CODES, failuresOf, gatewayStatusesOf } from './failures.ts';
import { envelope, type Json, jsonSchema, referred } from './schemas.ts';
import { HEADERS } from './texts/parameters.ts';

export const JSON_TYPE = 'application/json';

const headers = (names: readonly string[], constant: Readonly<Record<string, string>> = {}): Json =>
  Object.fromEntries(
    names.map((name) => {
      const description = HEADERS.response[name];
      if (!description)
        throw new Error(`infra/openapi/texts/headers.json does not describe the header ${name}`);
      const type = name === 'retry-after' ? 'integer' : 'string';
      const value = constant[name] === undefined ? {} : { example: constant[name] };
      return [name, { description, schema: { type, ...value } }];
    }),
  );

export function success(route: Route, operationId: string): Json {
  const { id, summary, title, response, compress, headers: own = {} } = route.contract;
  const texts = textsOf(route.contract);
  const constant = title === undefined ? own : { 'cache-control': 'no-store', ...own };
  const names = [
    'x-request-id',
    ...Object.keys(constant).filter((name) => name !== 'content-type'),
    ...(compress || isSameSiteOnly(route.contract, route.method) ? ['vary'] : []),
    ...(route.contract.revalidated ? ['etag'] : []),
    ...(texts.headers ?? []),
  ];
  const data = jsonSchema(response(), 'output');
  const content = mediaTypes(route.contract).map((type) => {
    const payload = referred(ofType(data, type), texts.response, id);
    const schema =
      title === undefined
        ? payload
        : envelope(true, { type: 'string', const: title }, titled(payload, title));
    return [type, { schema, ...exampleOf(operationId, type) }];
  });
  return {
    200: {
      description: title ?? summary,
      headers: headers(names.toSorted(), constant),
      content: Object.fromEntries(content),
    },
    ...(isConditional(route.contract)
      ? {
          304: {
            description: 'The resource still has the version that `If-None-Match` names',
            headers: headers(['etag']),
          },
        }
      : {}),
  };
}

/** Whether the endpoint answers 304 if `If-None-Match` names the current version. */
export const isConditional = ({ revalidated, requestHeaders }: Contract): boolean =>
  revalidated === true ||
  'if-none-match' in ((requestHeaders?.() as z.ZodMiniObject | undefined)?.shape ?? {});

/** A named schema is known by its name, and an inlined one is described by the title of the answer. */
const titled = (payload: Json, description: string): Json =>
  '$ref' in payload ? payload : { ...payload, description };

const mediaTypes = ({ produces, headers: { 'content-type': own = JSON_TYPE } = {} }: Contract) =>
  produces ?? [own];

/** For answers with a choice of types: the text for pages, the object for JSON. */
function ofType(data: Json, type: string): Json {
  const choices = data['anyOf'] as Json[] | undefined;
  return choices?.find((each) => (each['type'] === 'string') === type.startsWith('text/')) ?? data;
}

const pascal = (code: string) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The failure responses by name; routes with the same failures share them. */
export const shared = new Map<string, Json>();

/** The failure responses of a route, including those of the gateway. */
export function failures(route: Route): Json {
  if (route.contract.errors === 'oauth') return ofOAuth();
  const codes = failuresOf(route.contract);
  const byGateway = gatewayStatusesOf(route);
  const statuses = [...new Set([...codes.map((code) => FAILURES[code].status), ...byGateway])].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => FAILURES[code].status === status);
      const name = refusal(status, own, byGateway.includes(status));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Adds a failure response to {@link shared}. @returns its name */
function refusal(status: number, codes: readonly FailureCode[], byGateway: boolean): string {
  const words = codes.map(pascal).join('Or');
  const name = words === '' ? `Gateway${status}` : `${words}${byGateway ? 'OrGateway' : ''}`;
  const kind = schema(byGateway ? 'Refusal' : 'Failure');
  const examples = Object.fromEntries(
    codes.map((code) => [code, { summary: FAILURES[code].text, value: failureExample(code) }]),
  );
  shared.set(name, {
    description: [
      ...codes.map((code) => `\`${code}\`: ${CODES[code].means}. ${CODES[code].remedy}`),
      ...(byGateway ? [`The gateway’s own: ${GATEWAY_TEXTS[status]}.`] : []),
    ].join('\n\n'),
    headers: headers([
      ...(codes.length > 0 ? ['x-request-id'] : []),
      ...(status === 401 || codes.includes('step_up_required') ? ['www-authenticate'] : []),
      ...(codes.length > 0 && status === 429 ? ['ratelimit', 'ratelimit-policy'] : []),
      ...(codes.length > 0 && (status === 429 || status === 503) ? ['retry-after'] : []),
    ]),
    content: {
      [JSON_TYPE]: {
        schema: codes.length > 0 ? withCodes(kind, codes) : kind,
        ...(Object.keys(examples).length > 0 ? { examples } : {}),
      },
    },
  });
  return name;
}

/** The refusals of the token endpoint. */
function ofOAuth(): Json {
  const named = (status: string, description: string, own: readonly string[] = []) => {
    const name = `OAuthError${status}`;
    shared.set(name, {
      description,
      headers: headers(['x-request-id', ...own]),
      content: { [JSON_TYPE]: { schema: schema('OAuthError') } },
    });
    return { $ref: `#/components/responses/${name}` };
  };
  const gateway = 'the answer may be the gateway’s own, which has a `message` only';
  return {
    400: named('400', 'The request, the grant, the scope or the target is not valid'),
    401: named('401', '`invalid_client`: the API token is not valid', ['www-authenticate']),
    413: named('413', `The form is too large; ${gateway}`),
    415: named('415', 'The body is no form'),
    429: { $ref: `#/components/responses/${refusal(429, [], true)}` },
    500: named('500', `\`server_error\`: ${gateway}`),
    503: named('503', `\`temporarily_unavailable\`: try again; ${gateway}`, ['retry-after']),
  };
}

const GATEWAY_TEXTS: Readonly<Record<number, string>> = {
  404: 'a parameter of the path is empty, so no route matches',
  413: 'the body is larger than 10 MB',
  429: 'the request exceeds its rate limit. Send fewer requests, and retry after a second',
  500: 'the function ended without an answer',
  503: 'the function did not answer in time',
};

const schema = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const withCodes = (kind: Json, codes: readonly FailureCode[]): Json => {
  const code = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  const data = { allOf: [schema('FailureData'), code] };
  return { allOf: [kind, { type: 'object', properties: { data } }] };
};
