import type { FailureCode } from '#lib/failure/codes';

/** A failure of the service, or of the client without its answer. */
type Code = FailureCode | 'not_found' | 'network_error' | 'unexpected_answer';

const of: Readonly<Record<Code, string>> = {
  invalid_request: 'Some of this is not valid.',
  team_not_member: 'The account is not a member of this team.',
  unauthenticated: 'You are no longer logged in.',
  invalid_credentials: 'The username, password or code is not valid.',
  forbidden: 'You may not do this.',
  step_up_required: 'Not done: it has to be confirmed with a passkey.',
  account_not_found: 'There is no account with this username.',
  token_not_found: 'There is no API token with this name. Perhaps it was deleted meanwhile.',
  session_not_found: 'This session has already ended.',
  passkey_not_found: 'There is no passkey with this name. Perhaps it was removed meanwhile.',
  trust_not_found: 'There is no trust with this name. Perhaps it was deleted meanwhile.',
  app_not_found: 'The account may not use this application.',
  team_not_found: 'This team does not exist. Perhaps it was deleted meanwhile.',
  docs_not_found: 'There is no such documentation here.',
  admin_page_not_found: 'This page was updated meanwhile.',
  account_exists: 'An account with this username already exists. Choose another username.',
  team_exists: 'A team with this short name already exists. Choose another short name.',
  team_in_use: 'This team still has members. Remove them first, or choose the team that they move to.',
  team_limit: 'The account has reached the maximum number of teams. Remove one first.',
  role_limit: 'The account has reached the maximum number of roles. Remove one first.',
  app_limit: 'The account has reached the maximum number of applications. Remove one first.',
  token_exists: 'The account already has an API token with this name. Choose another name.',
  token_rotated: 'Another person rotated or deleted this API token meanwhile.',
  token_limit: 'The account has reached the maximum number of API tokens. Delete one first.',
  token_deleted: 'This API token was deleted meanwhile, or has another secret.',
  trust_exists: 'The machine already has a trust with this name. Choose another name.',
  trust_limit: 'The machine has reached the maximum number of trusts. Delete one first.',
  machine_account: 'This is a machine account, which cannot have this.',
  person_account: 'This is the account of a person: only machines have trusts.',
  passkey_exists: 'The account already has this passkey, or one with this name.',
  passkey_limit: 'The account has reached the maximum number of passkeys. Remove one first.',
  account_erased: 'An account with this username was erased. Choose another username.',
  account_active: 'The account is not cancelled. Cancel it first.',
  account_cancelled_recently: 'The account was cancelled too recently to be erased.',
  account_cancelled: 'The account is cancelled. Reactivate it first.',
  account_locked: 'The account is locked. Unlock it first.',
  self_target: 'You cannot do this to your own account.',
  last_administrator: 'No other administrator could log in any more. Give the role to another person first.',
  precondition_failed:
    'Another person changed this meanwhile. Load the page again to see the change: what you typed is kept.',
  payload_too_large: 'This is more than the service accepts at once.',
  unsupported_media_type: 'The service cannot read this.',
  too_complex: 'This takes the service too long. Shorten it.',
  idempotency_key_reused:
    'This was already sent with other values. Load the page again, and check what was done.',
  too_many_requests: 'Too many attempts.',
  internal: 'Something went wrong in the service. Try again, and ask an operator if it happens again.',
  unavailable: 'The service is temporarily unavailable. Try again.',
  not_found: 'The service does not know this request. Perhaps the page was updated: load it again.',
  network_error: 'No answer came. Check your connection.',
  unexpected_answer: 'The answer did not come from the service. Check your connection.',
};

export const failures = {
  of,
  /** A failure that the page does not know, with the text of the service, which is English. */
  other: (message: string) => message || 'The service refused this.',
  /** A fault of a value without a field of its own. */
  fault: (field: string, fault: string) => `${field}: ${fault}.`,
  wait: {
    seconds: (n: number) => `Wait ${n} ${n === 1 ? 'second' : 'seconds'}.`,
    minutes: (n: number) => `Wait ${n} ${n === 1 ? 'minute' : 'minutes'}.`,
    hours: (n: number) => `Wait ${n} ${n === 1 ? 'hour' : 'hours'}.`,
  },
  unknownOutcome: 'Check what was done before you try again.',
  updated: 'This page was updated meanwhile. Load it again to go on: what you typed is kept.',
  broken: 'Something went wrong on this page. Load it again, and ask an operator if it happens again.',
  withoutPasskey:
    'Not done: it has to be confirmed with a passkey, and you have none. Create one, then try again:',
  yourPasskeys: 'your passkeys (new tab)',
  reload: 'Load again',
  retry: 'Try again',
  details: 'Details',
  request: (id: string) => `Request ${id}`,
  copy: 'Copy',
};
