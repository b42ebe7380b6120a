/** The public texts of all failures by status (RFC 9110) and code. Every function contains them. */
const TEXTS = {
  400: {
    invalid_request: 'The request is malformed or has invalid values.',
    team_not_member: 'The account is not a member of this team.',
  },
  401: {
    unauthenticated: 'A valid credential is required.',
    invalid_credentials: 'The username, password or code is not valid.',
  },
  403: {
    forbidden: 'The credential does not permit this operation.',
    step_up_required: 'A passkey must have confirmed the session in the last minutes.',
  },
  404: {
    account_not_found: 'The username does not exist.',
    token_not_found: 'The account has no token with this name.',
    session_not_found: 'The account has no open session with this ID.',
    passkey_not_found: 'The account has no passkey with this name.',
    trust_not_found: 'The account has no trust with this name.',
    app_not_found: 'The account has no access to this application.',
    team_not_found: 'The team does not exist.',
    docs_not_found: 'There is no such documentation, or the instance does not publish it.',
    admin_page_not_found: 'The instance does not serve this page.',
  },
  409: {
    account_exists: 'An account with this username already exists.',
    team_exists: 'A team with this short name already exists.',
    team_in_use: 'Accounts are members of this team.',
    team_limit: 'The account has reached the maximum number of teams.',
    role_limit: 'The account has reached the maximum number of roles.',
    app_limit: 'The account has reached the maximum number of applications.',
    token_exists: 'The account already has a token with this name.',
    token_rotated: 'The token was rotated or deleted in the meantime.',
    token_limit: 'The account has reached the maximum number of tokens.',
    token_deleted: 'The token of this Idempotency-Key has been deleted, or has another secret.',
    trust_exists: 'The account already has a trust with this name.',
    trust_limit: 'The account has reached the maximum number of trusts.',
    machine_account: 'The account is one of a machine, which cannot have this.',
    person_account: 'The account is one of a person: only machines have trusts.',
    passkey_exists: 'The account already has this passkey, or one with this name.',
    passkey_limit: 'The account has reached the maximum number of passkeys.',
    account_erased: 'An account with this username was erased.',
    account_active: 'The account is not cancelled.',
    account_cancelled_recently: 'The account was cancelled too recently to be erased.',
    account_cancelled: 'The account is cancelled.',
    account_locked: 'The account is locked.',
    self_target: 'This operation cannot be applied to your own account.',
    last_administrator: 'No other active, unlocked administrator is left.',
  },
  412: {
    precondition_failed: 'The resource has changed since the version named in If-Match.',
  },
  413: {
    payload_too_large: 'The body is larger than this endpoint accepts.',
  },
  415: {
    unsupported_media_type: 'The content type of the body is not supported.',
  },
  422: {
    too_complex: 'The input takes too long to process.',
    idempotency_key_reused: 'This Idempotency-Key has already been used for another request.',
  },
  429: {
    too_many_requests: 'Too many attempts.',
  },
  500: {
    internal: 'The request could not be completed.',
  },
  503: {
    unavailable: 'The service is temporarily unavailable. Try again.',
  },
} as const;

type Texts = typeof TEXTS;
export type FailureCode = { [Status in keyof Texts]: keyof Texts[Status] }[keyof Texts];

type Failures = Readonly<Record<FailureCode, { readonly status: number; readonly text: string }>>;

function byCode() {
  const entries = Object.entries(TEXTS).flatMap(([status, texts]) =>
    Object.entries(texts).map(([code, text]) => [code, { status: Number(status), text }]),
  );
  return Object.fromEntries(entries) as Failures;
}

/** The closed list of failures: each code with its HTTP status and its public text. */
export const FAILURES = /* @__PURE__ */ byCode();

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
