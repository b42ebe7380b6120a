import * as z from 'zod/mini';
import { directoryItemSchema } from '#lib/account/directory/item';
import { namedMemberships } from '#lib/account/memberships';
import { userSchema } from '#lib/account/profile/schema';
import { sessionSchema } from '#lib/account/sessions';
import type { Contract } from '#lib/contract/contract';
import * as endpoints from '#lib/endpoints';
import { isJsonObject } from '#lib/exact-json';
import { FAILURES } from '#lib/failure';
import { auditEntrySchema } from '#lib/item/audit-entry';
import { membershipSchema, teamSchema } from '#lib/item/team';
import { pendingEventSchema } from '#lib/outbox/outbox';
import { createdTokenSchema, tokenRecordSchema } from '#lib/token/record';
import { withoutNoise } from '../events/schemas.ts';
import { CODES } from './failures.ts';
import { describedAs, FREE_FORM } from './texts/fields.ts';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

type Io = 'input' | 'output';

const all = { ...endpoints };

/** The named schemas: each place with the same schema refers to the name. */
const NAMED: readonly (readonly [name: string, schema: NonNullable<Contract['body']>, io?: Io])[] = [
  ['AccessChange', all['account.access'].contract.body, 'input'],
  ['AccessNames', namedMemberships, 'input'],
  ['Account', directoryItemSchema],
  ['AccountCopy', all['account.copy'].contract.response],
  ['ApplicationContext', all['account.context'].contract.response],
  ['ChangedAccess', all['account.access'].contract.response],
  ['AuditEntry', auditEntrySchema],
  ['AuditPage', all['audit.browse'].contract.response],
  ['ChangedAccount', all['account.lock'].contract.response],
  ['CodeRequest', all['account.code'].contract.body, 'input'],
  ['CreatedAccount', all['account.create'].contract.response],
  ['CreatedCode', all['account.code'].contract.response],
  ['CreatedToken', createdTokenSchema],
  ['Credentials', all['account.login'].contract.body, 'input'],
  ['DeletedToken', all['token.delete'].contract.response],
  ['Directory', all['account.browse'].contract.response],
  ['EndedSession', all['account.end-session'].contract.response],
  ['EndedSessions', all['account.logout'].contract.response],
  ['Introspection', all['oauth.introspect'].contract.response],
  ['Lock', all['account.lock'].contract.body, 'input'],
  ['Markdown', all['system.preview'].contract.body, 'input'],
  ['OpenSession', sessionSchema],
  ['Membership', membershipSchema],
  ['NewAccount', all['account.create'].contract.body, 'input'],
  ['NewPassword', all['account.password'].contract.body, 'input'],
  ['NewTeam', all['team.create'].contract.body, 'input'],
  ['PendingEvent', pendingEventSchema],
  ['PendingEvents', all['event.pending'].contract.response],
  ['Ping', all['system.ping'].contract.response],
  ['PresentedCredential', all['oauth.introspect'].contract.body, 'input'],
  ['Profile', all['account.profile'].contract.response],
  ['ProfileUpdate', all['account.profile-update'].contract.body, 'input'],
  ['PublicKeys', all['system.jwks'].contract.response],
  ['ReactivatedAccount', all['account.reactivate'].contract.response],
  ['Reactivation', all['account.reactivate'].contract.body, 'input'],
  ['RevokedTokens', all['token.revoke'].contract.response],
  ['Rotation', all['token.rotate'].contract.body, 'input'],
  ['Session', all['account.login'].contract.response],
  ['SessionPage', all['account.sessions'].contract.response],
  ['SystemInformation', all['system.info'].contract.response],
  ['Team', teamSchema],
  ['TeamPage', all['team.browse'].contract.response],
  ['Token', tokenRecordSchema],
  ['TokenList', all['token.list-own'].contract.response],
  ['TokenLimits', all['token.create'].contract.body, 'input'],
  ['TokenPage', all['token.browse'].contract.response],
  ['UpdatedProfile', all['account.profile-update'].contract.response],
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
