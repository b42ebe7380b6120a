/** A rejection of requests that the OpenAPI document permits. */
export interface Rejection {
  /** IDs of the operations. */
  readonly of: RegExp;
  readonly field: RegExp;
  readonly message: RegExp;
  /** Why OpenAPI cannot say it. */
  readonly because: string;
}

/** Rules that a schema of one request cannot say, each with its reason. Any other rejection of a valid request is a fault. */
export const REJECTIONS: readonly Rejection[] = [
  {
    of: /^(account\.(browse|export)|audit\.browse|token\.browse|trust\.browse)/,
    field: /^cursor$/,
    message: /^Must be a next_cursor of this listing$/,
    because: 'a cursor is opaque: only an answer gives one',
  },
  {
    of: /^account\.browse$/,
    field: /^(username|state|kind)$/,
    message: /^Cannot be /,
    because: 'parameters of a query are described one by one',
  },
  {
    of: /^account\.access$/,
    field: /^(body|owner|kind|remove\.(roles|teams|apps)\.\d+)$/,
    message:
      /^(Must (name a role, a team or an application|not be added and removed|be sent without add and remove)$|Is required with kind: )/,
    because: 'members are compared',
  },
  {
    of: /^account\.(create|access)$/,
    field: /^owner$/,
    message: /^(Must be (the username of an active person|absent: )|Is required for a machine: )/,
    because: 'the kind and the account of the owner decide',
  },
  {
    of: /^trust\.create/,
    field: /^issuer$/,
    message: /^Must be the name of an issuer in Settings:Issuers/,
    because: 'the settings decide',
  },
  {
    of: /^trust\.create/,
    field: /^(subject|claims)/,
    message: /^Must /,
    because: 'the platform of the issuer decides',
  },
  {
    of: /^oauth\.token$/,
    field: /^(invalid_(request|client|grant|target)|unsupported_grant_type)$/,
    message: /./,
    because: 'each grant has parameters of its own (RFC 6749)',
  },
  {
    of: /^(account\.copy|team\.delete)$/,
    field: /^(target_username|to)$/,
    message: /^Must be another (account than the source|team)$/,
    because: 'a name is compared with the one in the path',
  },
  {
    of: /^(account\.lock|token\.create.*|token\.rotate)$/,
    field: /^(until|expires_at)$/,
    message: /^Must be (in the future|at most \d+ days ahead)$/,
    because: 'the time passes',
  },
  {
    of: /^account\.password$/,
    field: /^(current_password|code|username)$/,
    message: /^(Is required|Must be sent without a credential)$/,
    because: 'the credential decides which form of the body applies',
  },
  {
    of: /^account\.profile-update$/,
    field: /^team_id$/,
    message: /^Must be a team of the account$/,
    because: 'the account decides',
  },
  {
    of: /^(account\.create|token\.(create.*|rotate))$/,
    field: /^idempotency-key$/,
    message: /^Was used for another request$/,
    because: 'an earlier request decides',
  },
  {
    of: /^/,
    field: /^x-batch-size$/,
    message: /^Must be sent with x-batch$/,
    because: 'parameters are described one by one',
  },
  {
    of: /^(token|trust)\.create/,
    field: /^roles$/,
    message: /^Must be roles of the account$/,
    because: 'the account decides',
  },
  {
    of: /^(token|trust)\.create/,
    field: /^addresses\.\d+$/,
    message: /^Must be an IPv4 or IPv6 address, or a block of them such as /,
    because: 'IPv4 in IPv6 (RFC 4291 section 2.5.5) is a range within the format',
  },
  {
    of: /^/,
    field: /^(__proto__|constructor|prototype)$/,
    message: /^This property name is not allowed$/,
    because: 'a member of an object that is free otherwise',
  },
];
