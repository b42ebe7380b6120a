import * as z from 'zod/mini';
import * as account from '#lib/account/contracts';
import * as lifecycle from '#lib/account/contracts';
import * as login from '#lib/account/contracts';
import * as profile from '#lib/account/contracts';
import { directoryItemSchema } from '#lib/account/directory/item';
import { userSchema } from '#lib/account/profile/schema';
import type { Contract } from '#lib/contract/contract';
import { FAILURES } from '#lib/failure';
import { membershipSchema } from '#lib/item/team';
import * as system from '#lib/system/contracts';
import * as token from '#lib/token/contracts';
import { createdTokenSchema, tokenRecordSchema } from '#lib/token/record';
import { CODES } from './texts/failures.ts';
import { describedAs, FREE_FORM } from './texts/fields.ts';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

type Io = 'input' | 'output';

/** The schemas that have a name of their own: wherever one of this form stands, it is referred to. */
const NAMED: readonly (readonly [name: string, schema: NonNullable<Contract['body']>, io?: Io])[] = [
  ['Account', directoryItemSchema],
  ['AccountCopy', account.copy.response],
  ['ApplicationContext', profile.context.response],
  ['ChangedAccount', lifecycle.lock.response],
  ['CreatedToken', createdTokenSchema],
  ['Credentials', login.login.body, 'input'],
  ['DeletedToken', token.remove.response],
  ['Directory', account.browse.response],
  ['EndedSessions', login.logout.response],
  ['Markdown', system.preview.body, 'input'],
  ['Ping', system.ping.response],
  ['Profile', profile.profile.response],
  ['ProfileUpdate', profile.profileUpdate.body, 'input'],
  ['PublicKeys', system.jwks.response],
  ['ReactivatedAccount', lifecycle.reactivate.response],
  ['Reactivation', lifecycle.reactivate.body, 'input'],
  ['Session', login.login.response],
  ['SystemInformation', system.info.response],
  ['Team', membershipSchema],
  ['Token', tokenRecordSchema],
  ['TokenList', token.listOwn.response],
  ['TokenPage', token.browse.response],
  ['UpdatedProfile', profile.profileUpdate.response],
  ['User', userSchema],
];

/** A schema of a contract as JSON Schema 2020-12, without what is no rule of the service. */
export function jsonSchema(schema: z.ZodMiniType, io: Io): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return tidy(json, io) as Json;
}

const isObject = (node: unknown): node is Json =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

function tidy(node: unknown, io: Io, name = ''): unknown {
  if (Array.isArray(node)) return node.map((each) => tidy(each, io, name));
  if (!isObject(node)) return node;
  if (FREE_FORM[name]) return FREE_FORM[name];
  const { properties, additionalProperties, pattern, minimum, maximum, ...rest } = node;
  return {
    ...(rest['const'] !== undefined ? { type: typeof rest['const'] } : {}),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, tidy(value, io)])),
    // What has a format has it in words that every reader knows.
    ...(pattern !== undefined && rest['format'] === undefined ? { pattern } : {}),
    ...(isLimit(minimum) ? { minimum } : {}),
    ...(isLimit(maximum) ? { maximum } : {}),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, value]) => [key, tidy(value, io, key)]),
          ),
        }
      : {}),
    // Answers may gain fields; bodies may not have unknown ones.
    ...(additionalProperties === undefined || (additionalProperties === false && io === 'output')
      ? {}
      : { additionalProperties: isEmpty(additionalProperties) ? true : tidy(additionalProperties, io) }),
  };
}

const isEmpty = (node: unknown) => isObject(node) && Object.keys(node).length === 0;

/** Not one of those that every integer of JavaScript has. */
const isLimit = (limit: unknown) =>
  limit !== undefined && Math.abs(limit as number) !== Number.MAX_SAFE_INTEGER;

const names = new Map(
  NAMED.map(([name, schema, io = 'output']) => [JSON.stringify(jsonSchema(schema(), io)), name]),
);

/** A schema as it stands in the document: those that have a name by reference, every property with its description. */
export function referred(node: Json, owner = ''): Json {
  const name = names.get(JSON.stringify(node));
  return name !== undefined && name !== owner
    ? { $ref: `#/components/schemas/${name}` }
    : described(node, owner);
}

function described(node: Json, owner: string): Json {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'properties')
        return [
          key,
          Object.fromEntries(
            Object.entries(value as Json).map(([field, schema]) => [
              field,
              { ...referred(schema as Json), description: describedAs(field, owner) },
            ]),
          ),
        ];
      if (Array.isArray(value)) return [key, value.map((each) => (isObject(each) ? referred(each) : each))];
      return [key, isObject(value) ? referred(value) : value];
    }),
  );
}

/** The envelope of the token and account endpoints, and of every failure. */
export const envelope = (success: boolean, message: Json, data: Json): Json => ({
  type: 'object',
  required: ['success', 'message', 'requestID', 'executed_at', 'data'],
  properties: {
    success: { type: 'boolean', const: success, description: 'Whether it was done' },
    message: { ...message, description: 'A short text for people' },
    requestID: { type: 'string', description: describedAs('requestID') },
    executed_at: { type: 'string', format: 'date-time', description: describedAs('executed_at') },
    data,
  },
});

/** What the service refuses with, and what the gateway answers by itself. */
const refusals: Readonly<Record<string, Json>> = {
  Failure: {
    ...envelope(false, { type: 'string' }, { $ref: '#/components/schemas/FailureData' }),
    description: 'Every refusal of the service',
  },
  FailureData: {
    type: 'object',
    required: ['code'],
    description: 'Why it was refused',
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
        description: 'The fields at fault, where the code is about input; at most 100',
      },
    },
  },
  FieldError: {
    type: 'object',
    required: ['field', 'message'],
    description: 'One field at fault',
    properties: {
      field: {
        type: 'string',
        description:
          'A dotted path into the body, or the name of a parameter or header; `body` for all of it',
      },
      message: { type: 'string', description: 'What is expected of it, in English' },
    },
  },
  GatewayMessage: {
    type: 'object',
    required: ['message'],
    description: 'What the gateway answers by itself, without the envelope',
    properties: { message: { type: 'string', description: 'Such as `Not Found`' } },
  },
};

/** Every schema that has a name. */
export const namedSchemas = (): Readonly<Record<string, Json>> => ({
  ...Object.fromEntries(
    NAMED.map(([name, schema, io = 'output']) => [name, referred(jsonSchema(schema(), io), name)]),
  ),
  ...refusals,
});
