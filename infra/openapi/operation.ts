import type { Contract } from '#lib/contract/contract';
import { MAX_BATCH_SIZE } from '#lib/http/batch';
import { type Route, textsOf } from '#lib/routes';
import type { ParameterText } from '#lib/texts';
import { requestExample } from './examples.ts';
import { failures, JSON_TYPE, success } from './responses.ts';
import { type Json, jsonSchema, referred } from './schemas.ts';
import { accessText, securityOf } from './security.ts';
import { aboutOf, tagOf } from './texts/operations.ts';
import { HEADERS, PARAMETERS } from './texts/parameters.ts';

/**
 * The operation ID of a route, which does not change when routes are added: the ID of the contract. It has the method as a
 * suffix if the contract has several, and `by-<name>` if the path contains its optional last segment.
 */
export function operationIdOf({ method, path, contract }: Route): string {
  const optional = /\{(\w+)\?\}$/.exec(contract.path)?.[1];
  return [
    contract.id,
    ...(typeof contract.method === 'string' ? [] : [method.toLowerCase()]),
    ...(optional !== undefined && path.endsWith(`{${optional}}`) ? [`by-${optional}`] : []),
  ].join('.');
}

export function operation(route: Route): Json {
  const { contract } = route;
  const { id, summary, access, headers = {} } = contract;
  const operationId = operationIdOf(route);
  return {
    operationId,
    summary: titleOf(summary, operationId.slice(id.length + 1)),
    description: [aboutOf(contract), `**Access:** ${accessText(contract)}`].join('\n\n'),
    tags: [tagOf(contract)],
    ...('deprecation' in headers ? { deprecated: true } : {}),
    security: securityOf(access),
    ...(typeof access === 'object' ? { 'x-role': access.role } : {}),
    parameters: parametersOf(route),
    ...bodyOf(route, operationId),
    responses: { ...success(route, operationId), ...failures(route) },
  };
}

/** The suffix of an operation ID is part of the title too, as `(PUT)` or `(by username)`. */
const titleOf = (summary: string, apart: string) =>
  apart === ''
    ? summary
    : `${summary} (${apart.startsWith('by-') ? apart.replace('-', ' ') : apart.toUpperCase()})`;

function parametersOf({ path, contract }: Route): Json[] {
  const { id, params, query, requestHeaders } = contract;
  const texts = textsOf(contract);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return [
    ...parameters(id, params, 'path', texts.params).filter(({ name }) => inPath.includes(name as string)),
    ...parameters(id, query, 'query', texts.query),
    ...Object.entries(requestHeaders ? shapeOf(requestHeaders).properties : {}).map(headerParameter),
    ...(isBatchable(contract)
      ? Object.keys(BATCH).map((name) => ({ $ref: `#/components/parameters/${name}` }))
      : []),
    ...(contract.revalidated ? [headerParameter(['if-none-match', { type: 'string' }])] : []),
  ];
}

/** Whether the entry of an endpoint in the audit log has the batch of a request: strangers have none. */
const isBatchable = ({ access, audit }: Contract) => audit !== undefined && access !== 'public';

/** The headers of a batch, which each audited operation takes. */
const BATCH: Readonly<Record<string, readonly [header: string, schema: Json]>> = {
  Batch: ['x-batch', { type: 'string', format: 'uuid' }],
  BatchSize: ['x-batch-size', { type: 'integer', minimum: 1, maximum: MAX_BATCH_SIZE }],
};

/** The parameters that operations refer to by name. */
export const namedParameters = (): Json =>
  Object.fromEntries(
    Object.entries(BATCH).map(([name, [key, schema]]) => [name, headerParameter([key, schema])]),
  );

/** The properties of a schema, and which of them are required. */
function shapeOf(schema: NonNullable<Contract['params']>) {
  const { properties = {}, required = [] } = jsonSchema(schema(), 'input') as {
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
  };
  return { properties, required };
}

function headerParameter([key, schema]: [string, Json]): Json {
  const description = HEADERS.request[key];
  if (!description) throw new Error(`infra/openapi/texts/headers.json does not describe the header ${key}`);
  const name = key.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return { name, in: 'header', required: false, description, schema };
}

function parameters(
  id: string,
  shape: Contract['params'],
  place: 'path' | 'query',
  texts: Readonly<Record<string, ParameterText>> = {},
): Json[] {
  if (!shape) return [];
  const { properties, required } = shapeOf(shape);
  return Object.entries(properties).map(([name, json]) => {
    const text = texts[name] ?? PARAMETERS[name];
    if (text === undefined) throw new Error(`The texts of ${id} do not describe the parameter ${name}`);
    const { description, example, schema = json } = typeof text === 'string' ? { description: text } : text;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description,
      schema,
      // A list is one text, separated by commas.
      ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
      ...(example === undefined ? {} : { example }),
    };
  });
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

const ANY_FORM: Json = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};

function bodyOf({ method, contract }: Route, operationId: string): Json {
  const { body, bodyKind = 'json' } = contract;
  if (!body || method === 'GET') return {};
  const usual = {
    schema: referred(jsonSchema(body(), 'input'), textsOf(contract).body, contract.id),
    ...requestExample(operationId),
  };
  if (bodyKind === 'form')
    return { requestBody: { description: 'A form', required: true, content: { [FORM_TYPE]: usual } } };
  return {
    requestBody: {
      description: bodyKind === 'json' ? 'Strict JSON' : 'Strict JSON, or nothing',
      required: bodyKind === 'json',
      content: {
        [JSON_TYPE]: usual,
        ...(bodyKind === 'json-or-form-or-none' ? { [FORM_TYPE]: { schema: ANY_FORM } } : {}),
      },
    },
  };
}
