import type { FailureCode } from '#lib/failure';

/** The meaning of a code, and a remedy. */
export interface CodeText {
  readonly means: string;
  readonly remedy: string;
}

export const CODES: Readonly<Record<FailureCode, CodeText>> = {
  invalid_request: {
    means: 'A parameter, a header or the body is malformed or has an invalid value',
    remedy: 'Correct the fields that `data.errors` names; repeating the same request fails again.',
  },
  team_not_member: {
    means: 'The account is not a member of the team in `team_id`',
    remedy: 'Send the `team_id` of one of the teams in the profile of the account.',
  },
  unauthenticated: {
    means: 'The credential is missing, expired, ended or deleted, or its account is locked or cancelled',
    remedy: 'Log in again, or use another token. The response does not reveal which of these applies.',
  },
  invalid_credentials: {
    means: 'The login failed: the username, password or token is wrong, or the account may not log in',
    remedy:
      'Correct the password. Administrators can check in the directory whether the account is locked or cancelled.',
  },
  forbidden: {
    means:
      'The account does not have the required role, or a page of another site sent the request with the cookie',
    remedy: 'Ask an operator for the role; it applies from the next request on.',
  },
  account_not_found: {
    means: 'The username does not exist',
    remedy: 'Search the directory for the username.',
  },
  token_not_found: {
    means: 'The account has no token with this name',
    remedy: 'List the tokens of the account: the token may already be deleted.',
  },
  session_not_found: {
    means: 'The account has no open session with this ID: it has ended or expired, or never existed',
    remedy: 'List the open sessions of the account.',
  },
  app_not_found: {
    means: 'The account has no access to this application',
    remedy: 'Use one of the `apps` in the profile of the account, or ask an operator for access.',
  },
  team_not_found: {
    means: 'The team does not exist',
    remedy: 'List the teams.',
  },
  docs_not_found: {
    means: 'The instance does not publish this documentation (`Settings:Docs`)',
    remedy: 'Ask the operator of the instance.',
  },
  admin_page_not_found: {
    means:
      "The instance does not serve the administrator's page (`Settings:AdminPage`), or the file is of an earlier deployment",
    remedy: 'Load the page again, or ask the operator of the instance.',
  },
  account_exists: {
    means: 'An account with this username already exists',
    remedy: 'Choose another username.',
  },
  team_exists: {
    means: 'A team with this short name already exists',
    remedy: 'Choose another short name.',
  },
  team_limit: {
    means: 'The account would exceed the maximum number of teams',
    remedy: 'Remove teams from the account first.',
  },
  role_limit: {
    means: 'The account would exceed the maximum number of roles',
    remedy: 'Remove roles from the account first.',
  },
  app_limit: {
    means: 'The account would exceed the maximum number of applications',
    remedy: 'Remove applications from the account first.',
  },
  token_exists: {
    means: 'The account already has a token with this name',
    remedy: 'Choose another name, or delete the token first.',
  },
  token_rotated: {
    means: 'Another request rotated or deleted the token at the same time',
    remedy: 'Use the secret of the other rotation, or rotate the token again, which ends that secret.',
  },
  token_limit: {
    means: 'The account has as many tokens as an account can have',
    remedy: 'Delete unused tokens; `token_used_at` is the time of the last use.',
  },
  token_deleted: {
    means: 'The token created with this `Idempotency-Key` has been deleted',
    remedy: 'Repeat the request with a new key.',
  },
  account_cancelled: {
    means: 'The account is cancelled',
    remedy: 'Reactivate it first.',
  },
  account_locked: {
    means: 'An administrator has locked the account',
    remedy: 'Unlock it first.',
  },
  self_target: {
    means: 'The request would lock or cancel your own account',
    remedy: 'Ask another administrator.',
  },
  last_administrator: {
    means: 'No other active, unlocked account has the role sys_administrator',
    remedy: 'Give the role to another account first.',
  },
  precondition_failed: {
    means: 'The user has changed since the version named in `If-Match`',
    remedy: 'Read the profile again, then repeat the update with its new `ETag`.',
  },
  payload_too_large: {
    means: 'The body is larger than 256 KiB, or than 1 MiB for a preview',
    remedy: 'Send a smaller body.',
  },
  unsupported_media_type: {
    means: 'The body has no `Content-Type`, or an unsupported one',
    remedy: 'Send `Content-Type: application/json`, in UTF-8.',
  },
  idempotency_key_reused: {
    means: 'This `Idempotency-Key` has already been used for another request',
    remedy: 'Use a new key for each account, token or rotation.',
  },
  too_complex: {
    means: 'The Markdown takes too long to render, is nested too deeply or renders too large',
    remedy: 'Split the Markdown into parts.',
  },
  too_many_requests: {
    means: 'Too many logins failed for this username or from this address',
    remedy: 'Wait for the number of seconds in `Retry-After`. Earlier attempts are refused and not counted.',
  },
  internal: {
    means: 'The service failed unexpectedly',
    remedy: 'Report the `requestID`: the log contains the cause under this ID.',
  },
  unavailable: {
    means: 'A dependency of the service is unreachable or overloaded',
    remedy: 'Repeat the request after the number of seconds in `Retry-After`.',
  },
};
