import { PROFILE_PARTS } from '#lib/account/profile/schema';

/** A parameter of the path or the query in words, and its type where the URL's text stands for something else. */
export interface ParameterText {
  readonly description: string;
  readonly example?: unknown;
  readonly schema?: Readonly<Record<string, unknown>>;
  /** How a list is written (OpenAPI 3.1, style values). */
  readonly form?: Readonly<Record<string, unknown>>;
}

export const PARAMETERS: Readonly<Record<string, ParameterText>> = {
  app_name: { description: 'An application that the account may use', example: 'planning' },
  app: { description: 'Lists only accounts that may use this application' },
  cancelled_since: {
    description: 'Lists only accounts that have been cancelled since then',
    schema: { type: 'string', format: 'date-time' },
  },
  cursor: { description: 'The `next_cursor` of the page before; opaque' },
  inactive_since: {
    description: 'Lists only accounts that were last active before then, or created if they were never used',
    schema: { type: 'string', format: 'date-time' },
  },
  limit: {
    description: 'How many items a page has at most; default: as many as fit 5 MB',
    schema: { type: 'integer', minimum: 1, maximum: 10_000 },
  },
  n: {
    description: 'How many UUIDs to make',
    schema: { type: 'integer', minimum: 0, maximum: 10_000 },
    example: 3,
  },
  never_used: {
    description: 'Lists only accounts that were never used, or only those that were',
    schema: { type: 'boolean' },
  },
  pscope: {
    description:
      'The parts of the profile, separated by commas; default: all of them. `user` alone answers that only; any other choice also has `instance` and `user`',
    schema: { type: 'array', items: { type: 'string', enum: PROFILE_PARTS } },
    form: { style: 'form', explode: false },
  },
  q: { description: 'Lists only accounts whose username, first or last name begins so, in whatever case' },
  role: { description: 'Lists only accounts that have this role' },
  setup: {
    description: 'Whether the answer also has the settings of the instance',
    schema: { type: 'boolean', default: false },
  },
  source_username: { description: 'The account whose roles and teams are copied', example: 'anna.keller' },
  state: { description: 'Lists only accounts in this state; not `active` with `cancelled_since`' },
  team: { description: 'Lists only members of the team with this short name, in whatever case' },
  target_username: { description: 'The account that receives them', example: 'priya.nair' },
  token_name: {
    description: 'The name of the token, unique in its account; upper and lower case differ',
    example: 'laptop',
  },
  username: { description: 'The username of the account, without regard to case', example: 'your.username' },
};

/** Headers of a request, by their names in lower case: how they are written, and what they say. */
export const REQUEST_HEADERS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  'idempotency-key': [
    'Idempotency-Key',
    'Makes the request safe to repeat for 24 hours, by the same caller with the same credential: the answer is the same, and nothing is made again. A UUID is recommended',
  ],
  'if-match': [
    'If-Match',
    'The `ETag` of the profile as it was read: it is changed only if its user still is so',
  ],
  'if-none-match': ['If-None-Match', 'ETags of answers that the client has: 304 if nothing has changed'],
};

/** What each header of an answer says. */
export const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'Who may keep the answer, and for how long (RFC 9111)',
  'content-security-policy': 'Where a browser shows the answer as a page, nothing in it may run',
  deprecation: 'Since when the endpoint is obsolete (RFC 9745)',
  etag: 'Of this answer: send it as `If-None-Match` to be answered 304 while nothing has changed',
  link: 'The endpoint that replaces this one (RFC 8288)',
  ratelimit:
    'What is left of the limit, and in how many seconds there is more; absent where the gateway refuses',
  'ratelimit-policy': 'The limit that was reached: so many (`q`) in so many seconds (`w`)',
  'retry-after': 'After how many seconds to try again',
  'set-cookie':
    'The cookie `ptoken`: the session token after a login with `createCookie`, nothing after a logout',
  vary: 'The request headers that the answer depends on',
  'www-authenticate': 'How to present a credential (RFC 6750)',
  'x-content-type-options': 'A browser must take the answer for what its type says',
  'x-request-id': 'The id of the request, as in `requestID`',
};
