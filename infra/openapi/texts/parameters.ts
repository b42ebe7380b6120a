import { PROFILE_PARTS } from '#lib/account/profile/schema';
import headers from './headers.json' with { type: 'json' };

/** Description of a path or query parameter, and its type unless it is a string. */
export interface ParameterText {
  readonly description: string;
  readonly example?: unknown;
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Serialisation of a list (OpenAPI 3.1, style values). */
  readonly form?: Readonly<Record<string, unknown>>;
}

const TIME = { type: 'string', format: 'date-time' };
const BOOLEAN = { type: 'boolean' };

export const PARAMETERS: Readonly<Record<string, ParameterText>> = {
  action: {
    description: 'List only entries of this action: ID of an endpoint, or an operator command',
    example: 'account.lock',
  },
  actor: { description: 'List only entries of this actor, regardless of case' },
  app_name: { description: 'Application that the account may use', example: 'planning' },
  app: { description: 'List only accounts that may use this application' },
  cancelled_since: { description: 'List only accounts cancelled since this time', schema: TIME },
  created_by: { description: 'List only tokens with this `token_created_by`, regardless of case' },
  cursor: { description: '`next_cursor` of the previous page; opaque' },
  inactive_since: {
    description:
      'List only accounts whose last activity, or creation if they were never used, is before this time',
    schema: TIME,
  },
  limit: {
    description: 'Maximum number of items on a page; by default as many as fit 5 MB',
    schema: { type: 'integer', minimum: 1, maximum: 10_000 },
  },
  n: {
    description: 'Number of UUIDs to generate',
    schema: { type: 'integer', minimum: 0, maximum: 10_000 },
    example: 3,
  },
  never_used: {
    description: 'List only accounts that were never used (`true`) or were used (`false`)',
    schema: BOOLEAN,
  },
  outcome: { description: 'List only entries with this outcome: `ok`, `started`, or the code of a failure' },
  pscope: {
    description:
      'Parts of the profile, separated by commas; all by default. `user` alone returns only the user; any other selection also contains `instance` and `user`',
    schema: { type: 'array', items: { type: 'string', enum: PROFILE_PARTS } },
    form: { style: 'form', explode: false },
  },
  q: {
    description:
      'List only accounts whose username, first and last name contain each word of this text, regardless of case',
  },
  role: { description: 'List only accounts with this role' },
  session_id: { description: 'ID of the session, as listed; `jti` of its token' },
  setup: {
    description: 'Whether the response also contains the settings of the instance',
    schema: { type: 'boolean', default: false },
  },
  since: { description: 'List only entries of this time or later', schema: TIME },
  source_username: { description: 'Account whose roles and teams are copied', example: 'source.username' },
  state: {
    description: 'List only accounts in this state; `active` cannot be combined with `cancelled_since`',
  },
  team: { description: 'List only members of the team with this short name, regardless of case' },
  target: {
    description:
      'List only entries about this account and its tokens, this token (`name@username`) or this key, regardless of case',
  },
  target_username: { description: 'Account that receives the roles and teams', example: 'target.username' },
  short: { description: 'Short name of the team, unique regardless of case', example: 'ops' },
  token_name: {
    description: 'Name of the token, unique within its account; case-sensitive',
    example: 'laptop',
  },
  until: { description: 'List only entries of this time or earlier', schema: TIME },
  username: { description: 'Username of the account, regardless of case', example: 'your.username' },
};

/** Headers of requests and of responses, by their names in lower case. */
export const HEADERS: Readonly<Record<'request' | 'response', Readonly<Record<string, string>>>> = headers;
