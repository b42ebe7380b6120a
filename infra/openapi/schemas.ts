import * as z from 'zod/mini';
import * as account from '#lib/account/contracts';
import { directoryItemSchema } from '#lib/account/directory/item';
import { namedMemberships } from '#lib/account/memberships';
import { userSchema } from '#lib/account/profile/schema';
import { sessionSchema } from '#lib/account/sessions';
import * as audit from '#lib/audit/contracts';
import type { Contract } from '#lib/contract/contract';
import { isJsonObject } from '#lib/exact-json';
import { FAILURES } from '#lib/failure';
import { auditEntrySchema } from '#lib/item/audit-entry';
import { membershipSchema, teamSchema } from '#lib/item/team';
import * as oauth from '#lib/oauth/contracts';
import * as outbox from '#lib/outbox/contracts';
import { pendingEventSchema } from '#lib/outbox/outbox';
import * as system from '#lib/system/contracts';
import * as team from '#lib/team/contracts';
import * as token from '#lib/token/contracts';
import { createdTokenSchema, tokenRecordSchema } from '#lib/token/record';
import { withoutNoise } from '../events/schemas.ts';
import { CODES } from './failures.ts';
import { describedAs, FREE_FORM } from './texts/fields.ts';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

type Io = 'input' | 'output';

/** The named schemas: each place with the same schema refers to the name. */
const NAMED: readonly (readonly [name: string, schema: NonNullable<Contract['body']>, io?: Io])[] = [
  ['AccessChange', account.access.body, 'input'],
  ['AccessNames', namedMemberships, 'input'],
  ['Account', directoryItemSchema],
  ['AccountCopy', account.copy.response],
  ['ApplicationContext', account.context.response],
  ['ChangedAccess', account.access.response],
  ['AuditEntry', auditEntrySchema],
  ['AuditPage', audit.browse.response],
  ['ChangedAccount', account.lock.response],
  ['CodeRequest', account.code.body, 'input'],
  ['CreatedAccount', account.create.response],
  ['CreatedCode', account.code.response],
  ['CreatedToken', createdTokenSchema],
  ['Credentials', account.login.body, 'input'],
  ['DeletedToken', token.remove.response],
  ['Directory', account.browse.response],
  ['EndedSession', account.endSession.response],
  ['EndedSessions', account.logout.response],
  ['Introspection', oauth.introspect.response],
  ['Lock', account.lock.body, 'input'],
  ['Markdown', system.preview.body, 'input'],
  ['OpenSession', sessionSchema],
  ['Membership', membershipSchema],
  ['NewAccount', account.create.body, 'input'],
  ['NewPassword', account.password.body, 'input'],
  ['NewTeam', team.create.body, 'input'],
  ['PendingEvent', pendingEventSchema],
  ['PendingEvents', outbox.pending.response],
  ['Ping', system.ping.response],
  ['PresentedCredential', oauth.introspect.body, 'input'],
  ['Profile', account.profile.response],
  ['ProfileUpdate', account.profileUpdate.body, 'input'],
  ['PublicKeys', system.jwks.response],
  ['ReactivatedAccount', account.reactivate.response],
  ['Reactivation', account.reactivate.body, 'input'],
  ['RevokedTokens', token.revoke.response],
  ['Rotation', token.rotate.body, 'input'],
  ['Session', account.login.response],
  ['SessionPage', account.sessions.response],
  ['SystemInformation', system.info.response],
  ['Team', teamSchema],
  ['TeamPage', team.browse.response],
  ['Token', tokenRecordSchema],
  ['TokenList', token.listOwn.response],
  ['TokenLimits', token.create.body, 'input'],
  ['TokenPage', token.browse.response],
  ['UpdatedProfile', account.profileUpdate.response],
  ['User', userSchema],
];

/** A schema of a contract as JSON Schema 2020-12, without keywords that the service does not enforce. */
export function jsonSchema(schema: z.ZodMiniType, io: Io): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema: node, path }) {
      withoutNoise(node);
      if (node.const !== undefined) node.type = typeof node.const as 'string';
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

const named = NAMED.map(([name, schema, io = 'output']) => [name, jsonSchema(schema(), io)] as const);
const names = new Map(named.map(([name, json]) => [JSON.stringify(json), name]));

/** A schema as part of the document: named schemas as references, every property with its description. */
export function referred(node: Json, owner = ''): Json {
  const name = names.get(JSON.stringify(node));
  return name !== undefined && name !== owner
    ? { $ref: `#/components/schemas/${name}` }
    : described(node, owner);
}

function described(node: Json, owner: string): Json {
  const withText = ([field, schema]: [string, unknown]) =>
    [field, { ...referred(schema as Json), description: describedAs(field, owner) }] as const;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'properties') return [key, Object.fromEntries(Object.entries(value as Json).map(withText))];
      if (Array.isArray(value))
        return [key, value.map((each) => (isJsonObject(each) ? referred(each) : each))];
      return [key, isJsonObject(value) ? referred(value) : value];
    }),
  );
}

/** The envelope of endpoints with a title, and of every failure. */
export const envelope = (success: boolean, message: Json, data: Json): Json => ({
  type: 'object',
  required: ['success', 'message', 'requestID', 'executed_at', 'data'],
  properties: {
    success: { type: 'boolean', const: success, description: 'Whether the request succeeded' },
    message: { ...message, description: 'A short text for people' },
    requestID: { type: 'string', description: describedAs('requestID') },
    executed_at: { type: 'string', format: 'date-time', description: describedAs('executed_at') },
    data,
  },
});

/** Failures of the service and answers of the gateway. */
const refusals: Readonly<Record<string, Json>> = {
  Failure: {
    ...envelope(false, { type: 'string' }, { $ref: '#/components/schemas/FailureData' }),
    description: 'Every failure of the service',
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
  GatewayMessage: {
    type: 'object',
    required: ['message'],
    description: 'Answer of the gateway, without the envelope',
    properties: {
      message: { type: 'string', description: 'Text such as `Not Found`' },
      // Discriminate the two kinds of failures in generated types: `error.success === false`, or `error.data?.code`.
      success: { type: 'null', description: 'Always absent' },
      data: { type: 'null', description: 'Always absent' },
    },
  },
};

/** The schemas that operations refer to by name. */
export const namedSchemas = (): Readonly<Record<string, Json>> => ({
  ...Object.fromEntries(named.map(([name, json]) => [name, referred(json, name)])),
  ...refusals,
});
