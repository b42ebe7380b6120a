import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import { FAILURES } from '#lib/failure';
import { API_VERSION } from '#lib/instance-info';
import { type Route, routes } from '#lib/routes';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io }) as Json;
  return json;
};

const envelope = (success: boolean, message: Json, data: Json): Json => ({
  type: 'object',
  required: ['success', 'message', 'requestID', 'executed_at', 'data'],
  properties: {
    success: { const: success },
    message,
    requestID: { type: 'string' },
    executed_at: { type: 'string', description: 'ISO 8601, UTC, microseconds, ends in Z' },
    data,
  },
});

const JSON_TYPE = 'application/json';

const text = { type: 'string' };

const failure = envelope(false, text, {
  type: 'object',
  required: ['code'],
  properties: {
    code: { enum: Object.keys(FAILURES) },
    errors: {
      type: 'array',
      items: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
    },
  },
});

/** Every way to present a credential. */
const securitySchemes = {
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <API token>`' },
  basic: { type: 'http', scheme: 'basic', description: 'User `api`, the API token as password' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'ptoken' },
  query: { type: 'apiKey', in: 'query', name: 'ptoken', description: 'Closed networks only' },
};

function parameters(schema: Contract['params'], place: 'path' | 'query', names?: readonly string[]): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema(), 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([name]) => names?.includes(name) ?? true)
    .map(([name, json]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: json,
    }));
}

/** An operation for each route; where a contract has several routes, their ids tell them apart. */
function operation(route: Route): Json {
  const { method, path, contract } = route;
  const { id, summary, access, title, params, query, body, response, produces = [JSON_TYPE] } = contract;
  const ordinal = routes.filter((other) => other.contract === contract).indexOf(route);
  const data = schemaOf(response(), 'output');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return {
    operationId: ordinal === 0 ? id : `${id}.${ordinal + 1}`,
    summary,
    tags: [id.split('.')[0]],
    security: access === 'public' ? [] : Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    ...(typeof access === 'object' ? { 'x-role': access.role } : {}),
    parameters: [...parameters(params, 'path', names), ...parameters(query, 'query')],
    ...(body && method !== 'GET'
      ? {
          requestBody: {
            required: contract.bodyKind === undefined,
            content: { [JSON_TYPE]: { schema: schemaOf(body(), 'input') } },
          },
        }
      : {}),
    responses: {
      200: {
        description: title ?? summary,
        content: Object.fromEntries(
          produces.map((type) => [
            type,
            { schema: title === undefined ? data : envelope(true, { const: title }, data) },
          ]),
        ),
      },
      default: {
        description: 'Refused',
        content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

/** The service as an OpenAPI 3.1 document, made of its contracts. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'core-account', version: API_VERSION },
    paths,
    components: { schemas: { Failure: failure }, securitySchemes },
  };
}

if (import.meta.main) console.log(JSON.stringify(openApi(), null, 2));
