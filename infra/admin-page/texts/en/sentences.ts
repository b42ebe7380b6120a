import type { Cause } from '#lib/failure/cause';
import { type Action, type Noun, type Phrase, type Read, withoutTarget } from '../../accounts/sentences.ts';
import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';

const PAST: Readonly<Record<string, string>> = {
  begin: 'began',
  cancel: 'cancelled',
  copy: 'copied',
  get: 'got',
  log: 'logged',
  read: 'read',
  send: 'sent',
};

const past = (text: string) => text.replace(/^\w+/, (verb) => PAST[verb] ?? verb.replace(/e?$/, 'ed'));

/** What is done to what, by its verb: `lock {an account}`. */
function does(text: string, label = withoutTarget(text)): Phrase {
  return { tried: text, done: past(text), label: label.charAt(0).toUpperCase() + label.slice(1) };
}

/** The same by the command of an operator. */
const commands = (text: string): Phrase => does(text, `${withoutTarget(text)} (operator)`);

const s = (count: number) => (count === 1 ? '' : 's');
const counted = (count: number, noun: string) => `${number(count)} ${noun}${s(count)}`;
const people = (count: number) => (count === 1 ? '1 person' : `${number(count)} people`);

const account: Noun = {
  named: (name) => name,
  yours: 'your account',
  own: (isYou) => `${isYou ? 'your' : 'their'} own account`,
  erased: 'an erased person',
  many: people,
};

export const sentences = {
  actions: {
    'account.access': does('change the access of {an account}'),
    'account.cancel': does('cancel {an account}'),
    'account.code': does('create a one-time code for {an account}'),
    'account.context': does('switch the application of {an account}'),
    'account.copy': does('copy roles and teams to {an account}'),
    'account.create': does('create {an account}'),
    'account.end-session': does('end a session of {an account}'),
    'account.erase': does('erase {an account}'),
    'account.export': does('download all data of {an account}'),
    'account.lock': does('lock {an account}'),
    'account.login': does('log in'),
    'account.logout': does('log out'),
    'account.passkey-assert': does('log in with a passkey'),
    'account.passkey-create': does('create a passkey for {an account}'),
    'account.passkey-delete': does('remove a passkey of {an account}'),
    'account.password': does('change the password of {an account}'),
    'account.profile-update': does('change the profile of {an account}'),
    'account.reactivate': does('reactivate {an account}'),
    'account.unlock': does('unlock {an account}'),
    'oauth.revoke': does('revoke {a session or token|a session of an account}'),
    'oauth.token': does('log in with a token', 'log in with a token, or get one for a service'),
    'team.create': does('create {a team}'),
    'team.delete': does('delete {a team}'),
    'team.rename': does('rename {a team}'),
    'token.create': does('create {a token}'),
    'token.create-login-token': does('create {a login token}'),
    'token.create-own': does('create {a token of one’s own}'),
    'token.delete': does('delete {a token}'),
    'token.revoke': does('delete all tokens of {an account}'),
    'token.rotate': does('replace the secret of {a token}'),
    'trust.create': does('create {a trust|a trust for an account}'),
    'trust.delete': does('delete {a trust|a trust of an account}'),
    'keys.rotate-signing-key': does('replace the key that signs sessions'),
    'keys.rotate-resource-key': does('replace a key that signs tokens'),
    'first-start': does('create {the first administrator}'),
    'admin account add': commands('add access to {an account}'),
    'admin account cancel': commands('cancel {an account}'),
    'admin account code': commands('create a one-time code for {an account}'),
    'admin account create': commands('create {an account}'),
    'admin account erase': commands('erase {an account}'),
    'admin account export': commands('download all data of {an account}'),
    'admin account lock': commands('lock {an account}'),
    'admin account lockout': commands('turn the lockout after failed logins on or off for {an account}'),
    'admin account passkey remove': commands('remove a passkey and end all sessions of {an account}'),
    'admin account password': commands('change the password of {an account}'),
    'admin account password-costs': commands('count the kinds of passwords'),
    'admin account reactivate': commands('reactivate {an account}'),
    'admin account remove': commands('remove access from {an account}'),
    'admin account reset-stamp': commands('end all sessions and codes of {an account}'),
    'admin account reset-stamps': commands('end all sessions and codes of {all accounts|an account}'),
    'admin account sessions': commands('end sessions of {an account}'),
    'admin account to-machine': commands('turn {an account} into a machine'),
    'admin account unlock': commands('unlock {an account}'),
    'admin audit refill': commands('add missing entries to the audit log'),
    'admin doctor': commands('check the health of the service'),
    'admin events publish': commands('publish the events that wait'),
    'admin events replay': commands('send earlier events again'),
    'admin export': commands('export {all accounts}'),
    'admin import': commands('import {accounts}'),
    'admin keys revoke': commands('end a key and everything that it signed'),
    'admin keys rotate': commands('begin to replace a key that signs'),
    'admin login block': commands('block {an address}'),
    'admin login unblock': commands('unblock {an address}'),
    'admin restore adopt-key': commands('copy the key of erased names'),
    'admin restore check': commands('mend the settings of a table'),
    'admin restore erase-again': commands('erase {an account} again after a restore'),
    'admin team create': commands('create {a team}'),
    'admin team delete': commands('delete {a team}'),
    'admin team rename': commands('rename {a team}'),
    'admin token create': commands('create {a token}'),
    'admin token delete': commands('delete {a token}'),
    'admin token revoke': commands('delete tokens of {accounts}'),
    'admin token rotate': commands('replace the secret of {a token}'),
    'admin trust create': commands('create {a trust|a trust for an account}'),
    'admin trust delete': commands('delete {trusts|a trust of an account}'),
  } satisfies Readonly<Record<Action, Phrase>>,

  /** What else a person may be refused: entries have it only with an outcome other than `ok`. */
  reads: {
    'account.browse': does('list accounts'),
    'account.passkey-options': does('ask for a passkey'),
    'account.passkeys': does('list the passkeys of {an account}'),
    'account.profile': does('read the profile of {an account}'),
    'account.sessions': does('list the sessions of {an account}'),
    'audit.browse': does('list the activity'),
    'event.pending': does('list the events that wait'),
    'oauth.introspect': does('check a session or token'),
    'system.info': does('read what the service is'),
    'system.ping': does('reach the service'),
    'system.preview': does('read the name of the service'),
    'system.uuid': does('get an ID'),
    'system.uuids': does('get IDs'),
    'team.browse': does('list teams'),
    'token.browse': does('list the tokens of all accounts'),
    'token.list-own': does('list tokens of one’s own'),
    'token.list-user': does('list the tokens of {an account}'),
    'trust.browse': does('list trusts of machines'),
  } satisfies Readonly<Record<Read, Phrase>>,

  unknown: does('use what this page does not know'),
  /** What has got a token or a session, in place of the braces. */
  tokenForService: does('get a token for {a service}'),
  tokenLogin: does('log in with the token {name}'),
  trustLogin: does('log in by the trust {name}'),
  byTrust: (name: Said): Said => said` by the trust ${name}`,

  /** Nouns at the end of a text in braces, which names replace. */
  nouns: { 'an account': account } as Readonly<Record<string, Noun>>,
  account,
  /** After “of”. */
  dative: account,
  /** After a token. */
  owner: {
    ...account,
    named: (name) => said`of ${name}`,
    yours: 'of your account',
    erased: 'of an erased person',
  } satisfies Noun as Noun,
  token: (name: Said, owner: Said, _general: string): Said => said`the token ${name}${owner}`,
  team: (name: Said, _general: string): Said => said`the team ${name}`,

  actors: {
    firstStart: 'The first start',
    someone: 'Someone',
    you: 'You',
    service: 'The service',
    erased: 'An erased person',
    operator: 'An operator',
    /** What an operator claims to be. */
    unproved: (name: Said): Said => said`(unproved: ${name})`,
  },

  did: (actor: Said, done: Said, _isYou: boolean): Said => said`${actor} ${done}`,
  tried: (actor: Said, tried: Said, _isYou: boolean): Said => said`${actor} tried to ${tried}`,
  began: (actor: Said, tried: Said, _isYou: boolean): Said => said`${actor} began to ${tried}.`,
  unchanged: ': nothing changed',
  unconfirmed: ': it has to be confirmed with a passkey',
  stillRuns: 'It still runs, or was cut off.',
  mayHaveChanged: 'It may have changed something.',
  times: (count: number) => `(${number(count)} times)`,

  /** What the details of an entry add to its sentence. */
  additions: {
    until: (time: Said): Said => said` until ${time}`,
    expires_at: (time: Said): Said => said` that works until ${time}`,
    source: (person: Said): Said => said` from ${person}`,
    user_app_name: (app: Said): Said => said` to ${app}`,
    file: (name: Said): Said => said` from ${name}`,
    reason: (text: Said): Said => said`, ‘${text}’`,
    fields: (names: Said): Said => said` (${names})`,
    roles_added: (names: Said, count: number): Said => said`, added the role${s(count)} ${names}`,
    roles_removed: (names: Said, count: number): Said => said`, removed the role${s(count)} ${names}`,
    teams_added: (names: Said, count: number): Said => said`, added the team${s(count)} ${names}`,
    teams_removed: (names: Said, count: number): Said => said`, removed the team${s(count)} ${names}`,
    apps_added: (names: Said, count: number): Said => said`, added the application${s(count)} ${names}`,
    apps_removed: (names: Said, count: number): Said => said`, removed the application${s(count)} ${names}`,
    invite_hours: (hours: number) => `, with a one-time code for ${counted(hours, 'hour')}`,
    to_machine: ', turned it into a machine',
    machine_owner: (person: Said): Said => said`, made ${person} its owner`,
    passkey: (name: Said): Said => said` (${name})`,
    trust: (name: Said): Said => said` (${name})`,
    byCode: ' with a one-time code',
    former: ', only a former secret',
    revoked: (count: number) => ` (${counted(count, 'token')})`,
    tokens_revived: (count: number) => `, revived ${counted(count, 'token')}`,
    tokens_revoked: (count: number) => `, deleted ${counted(count, 'token')}`,
    count: (count: number) => ` (${number(count)})`,
  },
  more: (names: Said, count: number): Said => said`${names} and ${count} more`,
  /** Fields of a profile. */
  fields: {
    user_first_name: 'first name',
    user_last_name: 'last name',
    user_short: 'initials',
    user_color: 'colour',
    user_currency: 'currency',
    user_properties: 'properties',
    phonenumber: 'phone number',
    team_id: 'team',
  },

  failedLogins: {
    of: (count: number, account: Said): Said =>
      said`${count === 1 ? 'A failed login' : `${number(count)} failed logins`}${account}`,
    account: (name: Said): Said => said` of ${name}`,
    token: ' with a token',
    unknown: ' of an unknown username',
    passkey: ' with a passkey',
    from: (address: Said): Said => said` from ${address}`,
  },
  failed: 'It failed.',
  invalidPasskey: 'The passkey is not valid.',

  /** Why a username, password, code, token or passkey was refused, which answers do not tell. */
  causes: {
    account_cancelled: 'The account is cancelled.',
    account_locked: 'The account is locked.',
    locked_out: 'Too many logins had failed.',
    no_password: 'The account has no password.',
    wrong_password: 'The password is wrong.',
    no_code: 'The account has no one-time code.',
    wrong_code: 'The one-time code is wrong.',
    code_expired: 'The one-time code has expired.',
    code_ended: 'The one-time code was used or ended.',
    unknown_token: 'No such token exists.',
    token_expired: 'The token has expired.',
    token_revoked: 'The token was deleted.',
    wrong_address: 'The token is not for this address.',
    unknown_passkey: 'No account has this passkey.',
    passkey_removed: 'The passkey was removed.',
    malformed_grant: 'The token of its platform is not valid.',
    unknown_trust: 'The machine has no such trust.',
    unknown_issuer: 'The token is of another issuer than the trust names.',
    issuer_unreachable: 'The issuer of the token does not give its keys.',
    unknown_key: 'No key of the issuer has signed the token.',
    bad_signature: 'No key of the issuer has signed the token.',
    wrong_audience: 'The token is for another service.',
    grant_expired: 'The token of its platform has expired.',
    grant_not_begun: 'The token of its platform begins later: check the clocks.',
    grant_too_long: 'The token of its platform is valid for more than a day.',
    wrong_subject: 'The token has another subject than the trust names.',
    wrong_claim: 'A claim of the token has another value than the trust names.',
    grant_spent: 'The token of its platform was used before.',
    passkey_cloned:
      'Its counter fell back: the device was reset or copied. Remove the passkey, and create it again.',
  } satisfies Readonly<Partial<Record<Cause, string>>>,

  /** What was done to several people at once, after the one who has done it. */
  operations: {
    given: (roles: Said, count: number, persons: number): Said =>
      said`gave the role${s(count)} ${roles} to ${people(persons)}`,
    taken: (roles: Said, count: number, persons: number): Said =>
      said`took the role${s(count)} ${roles} from ${people(persons)}`,
    created: (persons: number): Said => `imported ${people(persons)}`,
    /** Those whom it did not change. */
    unchanged: {
      given: (count: number) => `${number(count)} had it`,
      taken: (count: number) => `${number(count)} did not have it`,
      locked: (count: number) => `${number(count)} ${count === 1 ? 'was' : 'were'} locked in the same way`,
      unlocked: (count: number) => `${number(count)} ${count === 1 ? 'was' : 'were'} not locked`,
      cancelled: (count: number) => `${number(count)} ${count === 1 ? 'was' : 'were'} cancelled before`,
      reactivated: (count: number) => `${number(count)} ${count === 1 ? 'was' : 'were'} active`,
      created: (count: number) => `${number(count)} existed`,
      other: (count: number) => `${number(count)} unchanged`,
    },
    failed: (count: number) => `${number(count)} failed`,
  },
};
