import type { FailureCode } from '#lib/failure';

/** What a code means to who gets it, and what helps. */
export interface CodeText {
  readonly means: string;
  readonly remedy: string;
}

export const CODES: Readonly<Record<FailureCode, CodeText>> = {
  invalid_request: {
    means: 'A parameter, a header or the body is malformed or has a value that is not allowed',
    remedy: '`data.errors` names each field at fault. Correct them; the same request fails again.',
  },
  team_not_member: {
    means: 'The account does not belong to the team that `team_id` names',
    remedy: 'Send the `team_id` of one of the teams in the profile of the account.',
  },
  unauthenticated: {
    means:
      'There is no credential, or one that is expired, ended, deleted or of a locked or cancelled account',
    remedy: 'Log in again, or present another token. The answer does not tell which of these it is.',
  },
  invalid_credentials: {
    means:
      'The login has failed: the name, the password or the token is wrong, or the account may not log in',
    remedy:
      'Correct the password. An administrator sees in the directory whether the account is locked or cancelled.',
  },
  forbidden: {
    means:
      'The account does not have the required role, or a page of another site has sent the request with the cookie',
    remedy: 'Ask an operator for the role; it counts from the next request on.',
  },
  account_not_found: {
    means: 'No account has this username',
    remedy: 'Look the username up in the directory.',
  },
  token_not_found: {
    means: 'The account has no token of this name',
    remedy: 'List the tokens of the account: it may be deleted already.',
  },
  app_not_found: {
    means: 'The account has no access to this application',
    remedy: 'Name one of the `apps` in the profile of the account, or have an operator give it this one.',
  },
  team_not_found: {
    means: 'No team has this short name; operator commands alone answer so',
    remedy: 'List the teams.',
  },
  docs_not_found: {
    means: 'The instance does not publish this documentation (`Settings:Docs`)',
    remedy: 'Ask who operates the instance.',
  },
  account_exists: {
    means: 'An account of this username exists; operator commands alone answer so',
    remedy: 'Choose another username.',
  },
  team_exists: {
    means: 'A team of this short name exists; operator commands alone answer so',
    remedy: 'Choose another short name.',
  },
  team_limit: {
    means: 'The account would have more teams than an account can have',
    remedy: 'Take teams from the account first.',
  },
  role_limit: {
    means: 'The account would have more roles than an account can have',
    remedy: 'Have an operator take roles from the account first.',
  },
  app_limit: {
    means:
      'The account would have more applications than an account can have; operator commands alone answer so',
    remedy: 'Take applications from the account first.',
  },
  token_exists: {
    means: 'The account has a token of this name',
    remedy: 'Choose another name, or delete the token first.',
  },
  token_limit: {
    means: 'The account has 100 tokens, as many as an account can have',
    remedy: 'Delete tokens that nobody uses: `token_used_at` tells when each was used last.',
  },
  token_deleted: {
    means: 'The token that a request with this `Idempotency-Key` has made was deleted',
    remedy: 'Send the request with another key.',
  },
  account_cancelled: {
    means: 'The account is cancelled',
    remedy: 'Reactivate it first.',
  },
  self_target: {
    means: 'You would lock or cancel your own account',
    remedy: 'Have another administrator do it.',
  },
  precondition_failed: {
    means: 'The user is not as `If-Match` says: somebody has changed it since',
    remedy: 'Read the profile again, and decide anew.',
  },
  payload_too_large: {
    means: 'The body is larger than 256 KiB, or than 1 MiB for a preview',
    remedy: 'Send less.',
  },
  unsupported_media_type: {
    means: 'The body has no `Content-Type`, or one that this endpoint does not read',
    remedy: 'Send `Content-Type: application/json`, in UTF-8.',
  },
  idempotency_key_reused: {
    means: 'This `Idempotency-Key` was used for another token or with another credential',
    remedy:
      'Use another key for another token. After a new login, list the tokens: the first request may have made one.',
  },
  too_complex: {
    means: 'The Markdown takes too long to render, nests too deep or grows too large',
    remedy: 'Send it in parts.',
  },
  too_many_requests: {
    means: 'Too many logins have failed, for this username or from this address',
    remedy: 'Wait for as many seconds as `Retry-After` says. Tries before that are refused and do not count.',
  },
  internal: {
    means: 'A fault of the service',
    remedy: 'Report the `requestID`: its cause stands in the log under it.',
  },
  unavailable: {
    means: 'What the service depends on is out of reach or busy',
    remedy: 'Send the request again after as many seconds as `Retry-After` says.',
  },
};
