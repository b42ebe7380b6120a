import * as z from 'zod/mini';
import { FAILURES } from '#lib/failure/codes';
import { isJsonObject } from '#lib/input/exact-json';
import { OAUTH_ERRORS } from '#lib/oauth/failure';
import { contracts, textsOf } from '#lib/routes';
import { PLAIN } from '#lib/text/control-characters';
import type { SchemaTexts } from '#lib/texts';
import { withoutNoise } from '../events/schemas.ts';
import { CODES } from './failures.ts';
import { ALL_FACTS } from './texts/facts.ts';
import COMMON from './texts/fields.json' with { type: 'json' };

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

type Io = 'input' | 'output';

/** Schema of `user_properties`. */
const FREE_FORM = {
  type: 'object',
  properties: { root: { type: 'object', additionalProperties: true } },
  additionalProperties: true,
} as const;

/** A schema of a contract as JSON Schema 2020-12, without keywords that the service does not enforce. */
export function jsonSchema(schema: z.ZodMiniType, io: Io): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema: node, path }) {
      withoutNoise(node);
      if (node.const !== undefined) node.type = typeof node.const as 'string';
      // Generators for Python know no type that is null alone.
      if (node.type === 'null' && path.at(-2) === 'properties')
        Object.assign(node, { type: ['string', 'null'], const: null });
      // Accounts may have names from before control characters were refused.
      if (node.pattern === PLAIN.source && io === 'output') delete node.pattern;
      // Answers may gain fields; bodies reject unknown ones.
      if (node.additionalProperties === false && io === 'output') delete node.additionalProperties;
      if (isJsonObject(node.additionalProperties) && Object.keys(node.additionalProperties).length === 0)
        node.additionalProperties = true;
      if (path.at(-1) !== 'user_properties') return;
      for (const keyword of Object.keys(node)) delete node[keyword];
      Object.assign(node, FREE_FORM);
    },
  });
  return json as Json;
}

interface Named {
  readonly json: Json;
  readonly texts: SchemaTexts;
}

const named = new Map<string, Named>();

/** Adds a schema, and those that it contains, to the named ones. @throws Error if two have the same name */
function add(texts: SchemaTexts, io: Io, schema = texts.schema): void {
  const { name, parts = [] } = texts;
  if (name !== undefined && schema) {
    const json = jsonSchema(schema(), io);
    const { json: other = json } = named.get(name) ?? {};
    if (JSON.stringify(other) !== JSON.stringify(json)) throw new Error(`Two schemas have the name ${name}`);
    named.set(name, { json, texts });
  }
  for (const part of parts) add(part, io);
}

for (const contract of contracts) {
  const { body, response } = textsOf(contract);
  if (body) add(body, 'input', contract.body);
  if (response) add(response, 'output', contract.response);
}

const names = new Map([...named].map(([name, { json }]) => [JSON.stringify(json), name]));

/**
 * A schema as part of the document: named schemas as references, every property with its description.
 *
 * @param owner schema or endpoint of the texts
 * @throws Error for a field without a description
 */
export function referred(node: Json, texts: SchemaTexts | undefined, owner: string): Json {
  const name = names.get(JSON.stringify(node));
  return name === undefined ? described(node, texts, owner) : { $ref: `#/components/schemas/${name}` };
}

function described(node: Json, texts: SchemaTexts | undefined, owner: string): Json {
  const within = (part: unknown) => (isJsonObject(part) ? referred(part, texts, owner) : part);
  const withText = ([field, schema]: [string, unknown]) => {
    const description = textOf(field, texts) ?? (COMMON as Readonly<Record<string, string>>)[field];
    if (description === undefined)
      throw new Error(`The texts of ${owner} do not describe the field ${field}`);
    return [field, { ...referred(schema as Json, texts, owner), description }] as const;
  };
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'properties') return [key, Object.fromEntries(Object.entries(value as Json).map(withText))];
      return [key, Array.isArray(value) ? value.map(within) : within(value)];
    }),
  );
}

/** Description of a field in the texts about a schema, or about those that it extends or contains. */
function textOf(field: string, { fields = {}, parts = [] }: SchemaTexts = {}): string | undefined {
  const inherited = () => parts.map((part) => textOf(field, part)).find((text) => text !== undefined);
  return fields[field] ?? inherited();
}

/** The envelope of endpoints with a title, and of every failure. */
export const envelope = (success: boolean, message: Json, data: Json): Json => ({
  type: 'object',
  required: ['success', 'message', 'requestID', 'executed_at', 'data'],
  properties: {
    success: { type: 'boolean', const: success, description: 'Whether the request succeeded' },
    message: { ...message, description: 'A short text for people' },
    requestID: { type: 'string', description: COMMON.requestID },
    executed_at: { type: 'string', format: 'date-time', description: COMMON.executed_at },
    data,
  },
});

/** Failures of the service and answers of the gateway. */
const refusals: Readonly<Record<string, Json>> = {
  Failure: {
    ...envelope(false, { type: 'string' }, { $ref: '#/components/schemas/FailureData' }),
    description: 'Every failure of the service',
  },
  OAuthError: {
    type: 'object',
    required: ['error', 'error_description', 'requestID'],
    description: 'A refusal of the token endpoint (RFC 6749 section 5.2)',
    properties: {
      error: { type: 'string', enum: OAUTH_ERRORS, description: 'Code of the refusal' },
      error_description: { type: 'string', description: 'What to do, in a sentence for people' },
      requestID: { type: 'string', description: COMMON.requestID },
    },
  },
  FailureData: {
    type: 'object',
    required: ['code'],
    description: 'Reason of the failure',
    properties: {
      code: {
        type: 'string',
        enum: Object.keys(FAILURES),
        description: Object.entries(CODES)
          .map(([code, { means }]) => `- \`${code}\`: ${means}`)
          .join('\n'),
      },
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/FieldError' },
        description: 'Invalid fields, or the cause of a refusal such as a missing role; at most 100',
      },
      ...Object.fromEntries(
        ALL_FACTS.map(({ code, name, description, example }) => [
          name,
          {
            type: typeof example === 'number' ? 'integer' : 'string',
            description: `Only with \`${code}\`: ${description}`,
          },
        ]),
      ),
    },
  },
  FieldError: {
    type: 'object',
    required: ['field', 'message'],
    description: 'One invalid field',
    properties: {
      field: {
        type: 'string',
        description:
          'Dotted path in the body, `body` for all of it, or a parameter, a header in lower case, a limit or `role`',
      },
      message: { type: 'string', description: 'Expected value or reason, in English' },
    },
  },
  Refusal: {
    ...envelope(false, { type: 'string' }, { $ref: '#/components/schemas/FailureData' }),
    // One shape for generated clients, which read `error.data?.code` without a check.
    required: ['message'],
    description:
      'A failure of the service, or an answer of the gateway, which has `message` only, such as `Not Found`',
  },
};

/** The schemas that operations refer to by name. */
export const namedSchemas = (): Readonly<Record<string, Json>> => ({
  ...Object.fromEntries(
    [...named]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { json, texts }]) => [name, described(json, texts, name)]),
  ),
  ...refusals,
});
