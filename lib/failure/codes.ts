/** The closed list of failures: each code with its HTTP status (RFC 9110) and its public text. */
export const FAILURES = {
  invalid_request: { status: 400, text: 'The request is malformed or has invalid values.' },
  team_not_member: { status: 400, text: 'The account is not a member of this team.' },
  unauthenticated: { status: 401, text: 'A valid credential is required.' },
  invalid_credentials: { status: 401, text: 'The username, password or code is not valid.' },
  forbidden: { status: 403, text: 'The credential does not permit this operation.' },
  step_up_required: { status: 403, text: 'A passkey must have confirmed the session in the last minutes.' },
  account_not_found: { status: 404, text: 'The username does not exist.' },
  token_not_found: { status: 404, text: 'The account has no token with this name.' },
  session_not_found: { status: 404, text: 'The account has no open session with this ID.' },
  passkey_not_found: { status: 404, text: 'The account has no passkey with this name.' },
  trust_not_found: { status: 404, text: 'The account has no trust with this name.' },
  app_not_found: { status: 404, text: 'The account has no access to this application.' },
  team_not_found: { status: 404, text: 'The team does not exist.' },
  docs_not_found: {
    status: 404,
    text: 'There is no such documentation, or the instance does not publish it.',
  },
  admin_page_not_found: { status: 404, text: 'The instance does not serve this page.' },
  account_exists: { status: 409, text: 'An account with this username already exists.' },
  team_exists: { status: 409, text: 'A team with this short name already exists.' },
  team_in_use: { status: 409, text: 'Accounts are members of this team.' },
  team_limit: { status: 409, text: 'The account has reached the maximum number of teams.' },
  role_limit: { status: 409, text: 'The account has reached the maximum number of roles.' },
  app_limit: { status: 409, text: 'The account has reached the maximum number of applications.' },
  token_exists: { status: 409, text: 'The account already has a token with this name.' },
  token_rotated: { status: 409, text: 'The token was rotated or deleted in the meantime.' },
  token_limit: { status: 409, text: 'The account has reached the maximum number of tokens.' },
  token_deleted: {
    status: 409,
    text: 'The token of this Idempotency-Key has been deleted, or has another secret.',
  },
  trust_exists: { status: 409, text: 'The account already has a trust with this name.' },
  trust_limit: { status: 409, text: 'The account has reached the maximum number of trusts.' },
  machine_account: { status: 409, text: 'The account is one of a machine, which cannot have this.' },
  person_account: { status: 409, text: 'The account is one of a person: only machines have trusts.' },
  passkey_exists: { status: 409, text: 'The account already has this passkey, or one with this name.' },
  passkey_limit: { status: 409, text: 'The account has reached the maximum number of passkeys.' },
  account_erased: { status: 409, text: 'An account with this username was erased.' },
  account_active: { status: 409, text: 'The account is not cancelled.' },
  account_cancelled_recently: {
    status: 409,
    text: 'The account was cancelled too recently to be erased.',
  },
  account_cancelled: { status: 409, text: 'The account is cancelled.' },
  account_locked: { status: 409, text: 'The account is locked.' },
  self_target: { status: 409, text: 'This operation cannot be applied to your own account.' },
  last_administrator: { status: 409, text: 'No other active, unlocked administrator is left.' },
  precondition_failed: { status: 412, text: 'The resource has changed since the version named in If-Match.' },
  payload_too_large: { status: 413, text: 'The body is larger than this endpoint accepts.' },
  unsupported_media_type: { status: 415, text: 'The content type of the body is not supported.' },
  too_complex: { status: 422, text: 'The input takes too long to process.' },
  idempotency_key_reused: {
    status: 422,
    text: 'This Idempotency-Key has already been used for another request.',
  },
  too_many_requests: { status: 429, text: 'Too many attempts.' },
  internal: { status: 500, text: 'The request could not be completed.' },
  unavailable: { status: 503, text: 'The service is temporarily unavailable. Try again.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type FailureCode = keyof typeof FAILURES;

/** Codes that refuse a credential, each time with a cause. */
export type CodeWithCause = 'unauthenticated' | 'invalid_credentials';

/** The further members of `data`, of each code that has any. */
export interface FailureFacts {
  readonly account_cancelled_recently: {
    /** ISO 8601, UTC, ends in Z. */
    readonly erasable_from: string;
  };
  readonly team_in_use: {
    /** Number of accounts. */
    readonly members: number;
  };
}

export type CodeWithFacts = keyof FailureFacts;

/** Codes that need neither a cause nor facts. */
export type PlainCode = Exclude<FailureCode, CodeWithCause | CodeWithFacts>;

/** An invalid field: `field` is a dotted path in the body, or the name of a parameter or of a header in lower case. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}
