import type { Contract } from '#lib/contract/contract';
import { LIMITS } from './limits.ts';

/** The groups of endpoints. */
export const TAGS = {
  Sessions: 'Log in and out. People, and programs for a limited time, authenticate with session tokens.',
  Tokens: 'API tokens for programs. Each belongs to an account and has the roles of that account.',
  Accounts: 'Profiles, the account directory, teams, and the states of accounts.',
  Audit: 'Who did what to whom, when, from where and with what result.',
  System: 'Utilities. Their responses have no envelope.',
  Events: 'Changes of accounts and tokens, for other systems to follow. EventBridge delivers them.',
  Documentation: 'The OpenAPI document.',
} as const;

const TAG_OF: Readonly<Record<string, keyof typeof TAGS>> = {
  account: 'Accounts',
  audit: 'Audit',
  docs: 'Documentation',
  event: 'Events',
  oauth: 'Sessions',
  system: 'System',
  team: 'Accounts',
  token: 'Tokens',
  'account.end-session': 'Sessions',
  'account.login': 'Sessions',
  'account.logout': 'Sessions',
  'account.password': 'Sessions',
  'account.sessions': 'Sessions',
};

/** The tag of an endpoint, by its ID or its noun. */
export const tagOf = ({ id }: Contract) => TAG_OF[id] ?? TAG_OF[id.split('.')[0] as string] ?? 'System';

/** Response headers of a success that are not in the contract. */
export const HEADERS_OF: Readonly<Record<string, readonly string[]>> = {
  'account.login': ['set-cookie'],
  'account.logout': ['set-cookie'],
  'account.password': ['set-cookie'],
  'account.profile': ['etag'],
  'account.profile-update': ['etag'],
};

/** What an endpoint does, in Markdown; by default the summary of its contract. */
export const aboutOf = ({ id, summary }: Contract) => ABOUT[id] ?? `${summary}.`;

/** By the ID of the contract. */
export const ABOUT: Readonly<Record<string, string>> = {
  'account.access':
    'Adds and removes roles, teams and applications, all or none of them, and returns what has changed. Roles and applications need not exist; teams do. If the default team or application is removed, the first one left replaces it. An account keeps at least one application, and the service one active, unlocked administrator. A cancelled account can only lose memberships.',
  'account.browse':
    'Lists accounts, sorted by lower-cased username, with statistics of the whole directory. A response contains everything that fits 5 MB; pass `data.next_cursor` as `cursor` to get the next page. `username` lists the account with this username only, at the cost of one read.',
  'account.cancel':
    'Deactivates the account and refuses all of its credentials. Publishes the event `user_cancel` at least once, so that other systems can delete their data. Repeating the request changes nothing and returns `changed: false`.',
  'account.code':
    'Creates a code with which the account sets its password, once: `POST /api/core/account/password`. It is the invitation of an account without a password, and replaces a forgotten one. It replaces an earlier code; a new password, a lock and a cancel end it. The credential may have no other limit than its expiry, which is also the latest one of the code.',
  'account.context':
    'Sets the application context of your own account, or with the role of any account. The application must be one of the account’s `apps`.',
  'account.copy':
    'Adds the roles and teams of the source to those of the target, all or none of them; removes nothing. A target without a default team gets that of the source.',
  'account.create':
    'Creates an account with the fields of an import line, but without a password. With `invite_hours`, the response contains a one-time code with which the account sets its password: `POST /api/core/account/password`. The credential may then have no other limit than its expiry, which is also the latest one of the code. Unknown roles and applications are new names; teams must exist. With an `Idempotency-Key`, a repeat within 24 hours returns the same account and the same code.',
  'account.end-session':
    'Ends one session of your own account, or with the role of any account: the next request with it is refused. An account stores at most 100 ended sessions until they expire; the next one ends all sessions of the account.',
  'account.lock':
    'Refuses every credential of the account from the next request on, and ends its sessions and its one-time code permanently. With `until`, the lock ends by itself at that time, without an event. Repeating the request changes nothing and returns `changed: false`; another `reason` or `until` replaces both of the earlier lock, and a request without a body removes them.',
  'account.login': `Exchanges a username and password, or an API token, for a session token: a JWT that is valid for 24 hours by default. To log in with an API token, send the username \`api\` and the token as the password. Unknown usernames, wrong passwords and locked accounts get the same response. After ${LIMITS['limit-of-pair']} of a username from an address, further attempts are refused for a while.`,
  'account.logout':
    'Ends every session of your account immediately, including sessions of other programs, and clears the cookie. API tokens stay valid.',
  'account.password':
    'Sets a new password and answers like a login. All other sessions of the account end; API tokens stay valid. Send either `current_password` with a credential that has all of your roles, or `username` and `code` without a credential (and without a cookie: `credentials: "omit"` in `fetch`). It counts as an attempt to log in. A weak password is 400 `invalid_request` on `new_password` with the reason, keeps the code, and is no failed attempt.',
  'account.profile':
    'Returns your own profile, or with the role that of any account: the user, teams, roles and applications. `pscope` selects parts.',
  'account.profile-update':
    'Changes the fields in the body and returns the updated user. `username` in the body names another account, which needs the role.',
  'account.reactivate':
    'Makes a cancelled account active again and publishes `user_reactivate`. Its sessions stay ended. Its API tokens work again, unless `revoke_tokens` deletes them.',
  'account.sessions':
    'Lists the open sessions of your own account, or with the role of any account, newest first. A page reads at most 1 MB and may be short or empty before the last; pass `data.next_cursor` as `cursor` to get the next page.',
  'account.unlock':
    'Allows the account to authenticate again and clears its failed logins. Its API tokens work again; its sessions stay ended.',
  'audit.browse':
    'Lists audit entries of the last 90 days by default, newest first: changes, logins and refusals, and operator commands with their start (`started`) and their end. An entry appears within a minute. Filters are exact; a `target` includes its tokens. Without a filter, or with an account as `target`, `since` and `until`, a page reads what it returns; with another filter it examines 10,000 entries at most, and may be short or empty before the last. Pass `data.next_cursor` as `cursor` to get the next page.',
  'docs.openapi':
    'Returns this document. It changes only with a deployment: revalidate it with `If-None-Match`. `Settings:Docs` turns it off.',
  'event.pending':
    'Lists the events that EventBridge has not accepted yet, oldest first, without their details. A page reads at most 1 MB; pass `data.next_cursor` as `cursor` to get the next page, which may be empty.',
  'oauth.introspect':
    'Describes an API token or a session token that another service received (RFC 7662): its account, its roles and its limits. Compare `addresses` with the address of the request that presented it, and permit only GET if `access` is `read`. Every unusable credential is answered with `{"active":false}`. `token_type_hint` has no effect.',
  'oauth.revoke':
    'Ends the API token or session token in the body (RFC 7009), whoever owns it; the sessions of an API token end with it. The response is the same for an unknown or ended credential. `token_type_hint` has no effect.',
  'system.info':
    'Returns information about the instance and the caller. Obsolete: a future version removes this endpoint. Read the profile instead.',
  'system.jwks':
    'Returns a JWK Set with which other services verify session tokens: `ES256`, type `at+jwt`, `iss` and `aud` both `urn:core-account:<name of the instance>`. The claims are `sub` (account ID), `name` (username), `iat`, `nbf`, `exp`, `sst` (security stamp; changes at logout, password change and lock) and `jti`. Roles are not in the token. Verification with the keys alone does not detect sessions that ended early.',
  'system.ping':
    'Echoes the method, all query parameters and the body, without the credential. A form is returned as JSON.',
  'system.preview':
    'Renders GitHub-flavoured Markdown as HTML. An allow-list removes scripts, styles, frames and forms. Clients that accept only JSON get `{"html"}`.',
  'system.uuid':
    'Generates one UUID version 7 with the time in its last group, so that `uniqueidentifier` columns of SQL Server sort by creation. The order is specific to SQL Server.',
  'system.uuids': 'Generates up to 10,000 UUIDs for SQL Server, in the order of their creation.',
  'team.browse':
    'Lists teams, sorted by lower-cased short name. A page reads at most 1 MB; pass `data.next_cursor` as `cursor` to get the next page, which may be empty.',
  'team.create': 'Creates a team. Its short name is unique without regard to case.',
  'token.browse':
    'Lists the tokens of all accounts, sorted by the lower-cased username of their owners. Secrets are null. Pass `data.next_cursor` as `cursor` to get the next page. With `created_by`, a page reads 10,000 tokens at most and costs as much as one without it; it may be short or empty before the last.',
  'token.create':
    'Creates a token for an account. The response contains the secret in `value`, only this once. The optional body limits the token: its end, access, roles and source addresses. A token inherits each limit of the credential that creates it, and cannot exceed it.',
  'token.create-own':
    'Creates a token for your own account, as `token.create` does for any account. The response contains the secret in `value`, only this once.',
  'token.create-login-token':
    'Creates a token named `logintoken` for your own account. An existing `logintoken` stops working, and the sessions that were opened with it end. The response contains the secret in `value`, only this once.',
  'token.delete':
    'Deletes a token of your own account, or with the role of any account. The next request with the token is refused; so are sessions that were opened with it.',
  'token.list-own': 'Lists your own tokens by name. Secrets are null.',
  'token.list-user': 'Lists the tokens of an account by name. Secrets are null.',
  'token.rotate':
    'Replaces the secret of a token of your own account, or with the role of any account; a token can rotate itself. The response contains the new secret in `value`, only this once. The former secret stops working at once, or after `overlap_minutes`, as do its sessions. Another rotation ends an overlap. The end, limits and description of the token stay. A token that is wider than the credential of the request is 403, so a former secret cannot rotate. A lost response can be repeated with the same `Idempotency-Key`; a token that rotates itself needs an overlap for that.',
  'token.revoke':
    'Deletes all tokens of your own account, or with the role of any account, also of a cancelled one. The next request with one of them is refused. If it fails midway, repeat it: it deletes the remaining tokens. The token of the request is deleted last.',
};
