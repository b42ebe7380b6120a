import type * as endpoints from '../../../lib/endpoints.ts';

type Endpoints = typeof endpoints;
type ContractOf<Id extends keyof Endpoints> = Endpoints[Id]['contract'];

/** The endpoints with entries of the audit log that have the outcome `ok`. */
type Audited = {
  [Id in keyof Endpoints]: ContractOf<Id> extends { readonly audit: object } ? Id : never;
}[keyof Endpoints];

/** The other endpoints that may refuse a person. */
type Read = {
  [Id in Exclude<keyof Endpoints, Audited>]: ContractOf<Id>['access'] extends 'public' ? never : Id;
}[Exclude<keyof Endpoints, Audited>];

/**
 * What each audited action does, as one does it. In braces is what it does it to: a text without a target, then, if it differs,
 * one whose last noun the name of the account replaces. A token replaces the whole of a text about tokens.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  'account.access': 'change the access of {an account}',
  'account.cancel': 'cancel {an account}',
  'account.code': 'create a one-time code for {an account}',
  'account.context': 'switch the application of {an account}',
  'account.copy': 'copy roles and teams to {an account}',
  'account.create': 'create {an account}',
  'account.end-session': 'end a session of {an account}',
  'account.erase': 'erase {an account}',
  'account.export': 'download all data of {an account}',
  'account.lock': 'lock {an account}',
  'account.login': 'log in',
  'account.logout': 'log out',
  'account.passkey-assert': 'log in with a passkey',
  'account.passkey-create': 'create a passkey for {an account}',
  'account.passkey-delete': 'remove a passkey of {an account}',
  'account.password': 'change the password of {an account}',
  'account.profile-update': 'change the profile of {an account}',
  'account.reactivate': 'reactivate {an account}',
  'account.unlock': 'unlock {an account}',
  'oauth.revoke': 'revoke {a session or token|a session of an account}',
  'oauth.token': 'log in with a token',
  'team.create': 'create {a team}',
  'team.delete': 'delete {a team}',
  'team.rename': 'rename {a team}',
  'token.create': 'create {a token}',
  'token.create-login-token': 'create {a login token}',
  'token.create-own': 'create {a token of one’s own}',
  'token.delete': 'delete {a token}',
  'token.revoke': 'delete all tokens of {an account}',
  'token.rotate': 'replace the secret of {a token}',
  'trust.create': 'create {a trust|a trust for an account}',
  'trust.delete': 'delete {a trust|a trust of an account}',
  'keys.rotate-signing-key': 'replace the key that signs sessions',
  'keys.rotate-resource-key': 'replace a key that signs tokens',
  'first-start': 'create {the first administrator}',
  'admin account add': 'add access to {an account}',
  'admin account cancel': 'cancel {an account}',
  'admin account code': 'create a one-time code for {an account}',
  'admin account create': 'create {an account}',
  'admin account erase': 'erase {an account}',
  'admin account export': 'download all data of {an account}',
  'admin account lock': 'lock {an account}',
  'admin account lockout': 'turn the lockout after failed logins on or off for {an account}',
  'admin account passkey remove': 'remove a passkey and end all sessions of {an account}',
  'admin account password': 'change the password of {an account}',
  'admin account password-costs': 'count the kinds of passwords',
  'admin account reactivate': 'reactivate {an account}',
  'admin account remove': 'remove access from {an account}',
  'admin account reset-stamp': 'end all sessions and codes of {an account}',
  'admin account reset-stamps': 'end all sessions and codes of {all accounts|an account}',
  'admin account sessions': 'end sessions of {an account}',
  'admin account to-machine': 'turn {an account} into a machine',
  'admin account unlock': 'unlock {an account}',
  'admin audit refill': 'add missing entries to the audit log',
  'admin doctor': 'check the health of the service',
  'admin events publish': 'publish the events that wait',
  'admin events replay': 'send earlier events again',
  'admin export': 'export {all accounts}',
  'admin import': 'import {accounts}',
  'admin keys revoke': 'end a key and everything that it signed',
  'admin keys rotate': 'begin to replace a key that signs',
  'admin login block': 'block {an address}',
  'admin login unblock': 'unblock {an address}',
  'admin restore adopt-key': 'copy the key of erased names',
  'admin restore check': 'mend the settings of a table',
  'admin restore erase-again': 'erase {an account} again after a restore',
  'admin team create': 'create {a team}',
  'admin team delete': 'delete {a team}',
  'admin team rename': 'rename {a team}',
  'admin token create': 'create {a token}',
  'admin token delete': 'delete {a token}',
  'admin token revoke': 'delete tokens of {accounts}',
  'admin token rotate': 'replace the secret of {a token}',
  'admin trust create': 'create {a trust|a trust for an account}',
  'admin trust delete': 'delete {trusts|a trust of an account}',
} satisfies Readonly<Record<Audited | `keys.${string}` | 'first-start' | `admin ${string}`, string>>;

/** What else a person may be refused: entries have it only with an outcome other than `ok`. */
export const READS: Readonly<Record<string, string>> = {
  'account.browse': 'list accounts',
  'account.passkey-options': 'ask for a passkey',
  'account.passkeys': 'list the passkeys of {an account}',
  'account.profile': 'read the profile of {an account}',
  'account.sessions': 'list the sessions of {an account}',
  'audit.browse': 'list the activity',
  'event.pending': 'list the events that wait',
  'oauth.introspect': 'check a session or token',
  'system.info': 'read what the service is',
  'system.ping': 'reach the service',
  'system.preview': 'read the name of the service',
  'system.uuid': 'get an ID',
  'system.uuids': 'get IDs',
  'team.browse': 'list teams',
  'token.browse': 'list the tokens of all accounts',
  'token.list-own': 'list tokens of one’s own',
  'token.list-user': 'list the tokens of {an account}',
  'trust.browse': 'list trusts of machines',
} satisfies Readonly<Record<Read, string>>;

/** Actions that change nothing: their entries say who has read what. */
export const READ_ONLY: readonly string[] = ['account.export', 'admin account export', 'admin export'];

const PAST: Readonly<Record<string, string>> = {
  begin: 'began',
  cancel: 'cancelled',
  copy: 'copied',
  get: 'got',
  log: 'logged',
  read: 'read',
  send: 'sent',
};

/** What was done in the past tense: `locked {an account}`. */
export const done = (text: string) => text.replace(/^\w+/, (verb) => PAST[verb] ?? verb.replace(/e?$/, 'ed'));

/** What is done, for lists: `Lock an account`; operators do some of it by commands. */
export const labelOf = (action: string, text: string) => {
  const plain = text.replace(/\{([^|}]*)[^}]*\}/, '$1');
  return plain.charAt(0).toUpperCase() + plain.slice(1) + (action.startsWith('admin ') ? ' (operator)' : '');
};
