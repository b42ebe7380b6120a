import { LIMITS } from './limits.ts';

/** The groups of endpoints. */
export const TAGS = {
  Sessions: 'Logging in and out. A session token is what a person, or a program for a while, presents.',
  Tokens: 'API tokens: what a program presents. Each belongs to an account, and acts with its roles.',
  Accounts: 'Profiles, the directory, and the state of accounts: locked or not, active or cancelled.',
  System: 'Utilities, which answer without the envelope.',
  Documentation: 'This document.',
} as const;

/** What is said of an endpoint besides its contract. */
export interface OperationText {
  readonly tag: keyof typeof TAGS;
  /** Sentences in Markdown. */
  readonly about: string;
  /** Headers of its success that no contract tells of. */
  readonly headers?: readonly string[];
}

/** By the id of the contract. */
export const OPERATIONS: Readonly<Record<string, OperationText>> = {
  'account.browse': {
    tag: 'Accounts',
    about:
      'Lists accounts by their lower-cased usernames, and counts the whole directory. Everything comes in one answer as long as it fits 5 MB; then `data.next_cursor` leads to the next page.',
  },
  'account.cancel': {
    tag: 'Accounts',
    about:
      'Deactivates the account: nothing authenticates it any more. The event `user_cancel` tells other systems to clean up after it; it comes at least once. A repeat changes nothing and answers `changed: false`.',
  },
  'account.context': {
    tag: 'Accounts',
    about: 'Sets the default application of the account, which must be one of its `apps`.',
  },
  'account.copy': {
    tag: 'Accounts',
    about:
      'Adds the roles and teams of the source to those of the target, all or nothing; takes nothing away. A target without a default team takes that of the source.',
  },
  'account.lock': {
    tag: 'Accounts',
    about:
      'From the next request on, no credential of the account is accepted; its sessions end for good. A repeat changes nothing and answers `changed: false`.',
  },
  'account.login': {
    tag: 'Sessions',
    headers: ['set-cookie'],
    about: `Answers a session token, a JWT that lives for a day unless the instance says otherwise. To log in with an API token, send the username \`api\` and the token as the password. Unknown usernames, wrong passwords and locked accounts get the same answer. After ${LIMITS['limit-of-pair']} of a username from an address, further attempts are refused for a while.`,
  },
  'account.logout': {
    tag: 'Sessions',
    headers: ['set-cookie'],
    about:
      'Ends every session of the account at once, wherever it was opened, and clears the cookie. API tokens live on.',
  },
  'account.profile': {
    tag: 'Accounts',
    headers: ['etag'],
    about: 'Answers the account, its teams, roles and applications; `pscope` selects from them.',
  },
  'account.profile-update': {
    tag: 'Accounts',
    headers: ['etag'],
    about:
      'Changes the fields that the body has, and answers the user as it is then. `username` in the body names another account.',
  },
  'account.reactivate': {
    tag: 'Accounts',
    about:
      'Makes a cancelled account active again, and publishes `user_reactivate`. Its sessions stay ended; its API tokens work again, unless `revoke_tokens` deletes them.',
  },
  'account.unlock': {
    tag: 'Accounts',
    about:
      'Lets the account authenticate again, and forgets its failed logins. Its API tokens work again; its sessions stay ended.',
  },
  'docs.openapi': {
    tag: 'Documentation',
    about:
      'Answers this document. It changes with a version of the service only: ask again with `If-None-Match`. `Settings:Docs` turns it off.',
  },
  'system.info': {
    tag: 'System',
    about:
      'Tells what the instance is and who calls it. Obsolete, and to be removed: read the profile instead.',
  },
  'system.jwks': {
    tag: 'System',
    about:
      'Answers a JWK Set. With it other services verify session tokens by themselves: `ES256`, type `at+jwt`, `iss` and `aud` both `urn:core-account:<name of the instance>`. In it `sub` is the id of the account, `name` its username, `iat` and `exp` when it was made and when it expires, `sst` the stamp that a logout, a new password or a lock renews, `jti` its own id. It has no roles. They do not see that a session has ended before its time.',
  },
  'system.ping': {
    tag: 'System',
    about:
      'Repeats the method, the parameters of the query, whichever they are, and the body, without the credential. A form comes back as JSON.',
  },
  'system.preview': {
    tag: 'System',
    about:
      'Renders GitHub-flavoured Markdown. The HTML is sanitised by an allow-list: no script, style, frame or form is left. A client that accepts JSON rather than HTML gets `{"html"}`.',
  },
  'system.uuid': {
    tag: 'System',
    about:
      'Makes one UUID of version 7 with the time in its last group, so that SQL Server’s `uniqueidentifier` sorts by creation. Other systems do not.',
  },
  'system.uuids': {
    tag: 'System',
    about: 'Makes up to 10,000 such UUIDs, in the order of their creation.',
  },
  'token.browse': {
    tag: 'Tokens',
    about:
      'Lists the tokens of all accounts by the lower-cased username of their owners. Secrets are null. Where they do not fit one answer, `data.next_cursor` leads to the next page.',
  },
  'token.create': {
    tag: 'Tokens',
    about: 'Creates a token that acts for the account. The answer has its secret in `value`, this once.',
  },
  'token.create-login-token': {
    tag: 'Tokens',
    about:
      'Creates a token named `logintoken` for your own account. An existing `logintoken` stops working. The answer has the secret in `value`, this once.',
  },
  'token.delete': {
    tag: 'Tokens',
    about:
      'Deletes the token. The next request that presents it is refused; sessions opened with it live on.',
  },
  'token.list-own': { tag: 'Tokens', about: 'Lists your own tokens by name. Secrets are null.' },
  'token.list-user': { tag: 'Tokens', about: 'Lists the tokens of the account by name. Secrets are null.' },
};
