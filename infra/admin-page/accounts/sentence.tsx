import type { ComponentChildren } from 'preact';
import type { AuditEntry } from '#lib/client/index';
import type { Cause } from '#lib/failure/cause';
import { FAILURES } from '#lib/failure/codes';
import { isPseudonym } from '#lib/item/erasure';
import { useOwnName } from '../session.ts';
import { When } from '../time.tsx';
import { done, READ_ONLY, READS, SENTENCES } from './sentences.ts';
import { nameFor, Username } from './who.tsx';

/** A value by a name that may be any text. */
const ownIn = <T,>(table: Readonly<Record<string, T>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Names in a sentence; the details of an entry have all of them. */
const MOST = 5;

/** Some names that people have chosen, with commas between them. */
function Some({ of, noun }: { readonly of: readonly string[]; readonly noun: string }) {
  const left = of.length - MOST;
  return (
    <>
      {of.length === 1 ? noun : `${noun}s`}{' '}
      {of.slice(0, MOST).map((name, index) => [index > 0 && ', ', <bdi key={name}>{name}</bdi>])}
      {left > 0 && ` and ${left} more`}
    </>
  );
}

const counted = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`;

/** `user_first_name` as `first name`. */
const fieldName = (name: string) =>
  name === 'phonenumber' ? 'phone number' : name.replace(/^user_|_id$/g, '').replaceAll('_', ' ');

type Addition = (text: string, names: readonly string[]) => ComponentChildren;

const access =
  (verb: string, noun: string): Addition =>
  (_, names) => [`, ${verb} the `, <Some key="names" of={names} noun={noun} />];

/**
 * What the details of an entry add to its sentence, by their names and in this order, since the order of an entry is
 * that of its request; all others are for those who open them.
 */
const ADDITIONS: Readonly<Record<string, Addition>> = {
  resource: (audience) => [' for ', <bdi key="resource">{audience}</bdi>],
  until: (time) => [' until ', <When key="until" of={time} />],
  expires_at: (time) => [' that works until ', <When key="until" of={time} />],
  source: (username) => [' from ', <Username key="source" username={username} />],
  user_app_name: (name) => [' to ', <bdi key="app">{name}</bdi>],
  file: (name) => [' from ', <bdi key="file">{name}</bdi>],
  reason: (text) => [', ‘', <bdi key="reason">{text}</bdi>, '’'],
  fields: (_, names) => ` (${names.map(fieldName).join(', ')})`,
  roles_added: access('added', 'role'),
  roles_removed: access('removed', 'role'),
  teams_added: access('added', 'team'),
  teams_removed: access('removed', 'team'),
  apps_added: access('added', 'application'),
  apps_removed: access('removed', 'application'),
  invite_hours: (hours) => `, with a one-time code for ${counted(hours, 'hour')}`,
  to_machine: () => ', turned it into a machine',
  machine_owner: (username) => [', made ', <Username key="owner" username={username} />, ' its owner'],
  passkey: (name) => [' (', <bdi key="passkey">{name}</bdi>, ')'],
  trust: (name) => [' (', <bdi key="trust">{name}</bdi>, ')'],
  proof: (proof) => proof === 'code' && ' with a one-time code',
  secret: () => ', only a former secret',
  revoked: (count) => ` (${counted(count, 'token')})`,
  tokens_revived: (count) => Number(count) > 0 && `, revived ${counted(count, 'token')}`,
  tokens_revoked: (count) => Number(count) > 0 && `, deleted ${counted(count, 'token')}`,
  count: (count) => ` (${count})`,
};

const Additions = ({ of }: { readonly of: AuditEntry }) => (
  <>
    {Object.entries(ADDITIONS).map(([name, add]) => {
      const names = [ownIn<unknown>(of.details ?? {}, name) ?? []].flat().map(String);
      return names.length > 0 && add(names.join(', '), names);
    })}
  </>
);

/** Outcomes that show no account of that name to exist. */
const UNSEEN = ['account_not_found', 'unauthenticated'];

/** A username, as a link if an account has it; the own one in words. */
const Account = ({ of, username }: { readonly of: AuditEntry; readonly username: string }) => {
  const { action, outcome } = of;
  if (username === useOwnName()) return <Username username={username}>your account</Username>;
  const isMade = !/create|import|first/.test(action) || outcome === 'account_exists';
  const exists = outcome === 'ok' || (isMade && !UNSEEN.includes(outcome));
  return exists ? <Username username={username} /> : <bdi>{nameFor(username)}</bdi>;
};

/** The last part of a name or ARN that an operator claims. */
const lastPart = (claim: unknown) => `${claim}`.split('/').at(-1);

/** Who has done something. An operator may claim any name: only the policy is proved. */
export function Actor({ of: { actor, action, details } }: { readonly of: AuditEntry }) {
  const own = useOwnName();
  if (action === 'first-start') return <>The first start</>;
  if (!actor) return <>Someone</>;
  if (actor === own) return <Username username={actor}>You</Username>;
  if (actor === 'secrets-manager') return <>The service</>;
  if (isPseudonym(actor)) return <span title={actor}>An erased person</span>;
  if (!actor.startsWith('operator:')) return <Username username={actor} />;
  const claim = details?.['claimed_by'];
  return (
    <>
      An operator
      {claim && (
        <span class="faint">
          {' '}
          (unproved: <bdi>{lastPart(claim)}</bdi>)
        </span>
      )}
    </>
  );
}

const isAboutToken = ({ action, actor, target, details }: AuditEntry) =>
  action === 'oauth.revoke'
    ? target?.includes('@') && target !== actor && !details?.['session']
    : /^(admin )?token.(create|delete|rotate)/.test(action);

/** What an action was done to, in place of the text in braces. */
function Target({ of, text }: { readonly of: AuditEntry; readonly text: string }) {
  const { actor, action, target } = of;
  const own = useOwnName();
  const [general = '', named = general] = text.split('|');
  if (!target) return <>{general}</>;
  const at = target.indexOf('@');
  if (isAboutToken(of) && at > 0) {
    const owner = target.slice(at + 1);
    return (
      <>
        the token <bdi>{target.slice(0, at)}</bdi>
        {owner !== actor && [' of ', <Account key="owner" of={of} username={owner} />]}
      </>
    );
  }
  if (general === 'a team')
    return (
      <>
        the team <bdi>{target}</bdi>
      </>
    );
  // Its entries name an account or a token, and both may have an at sign.
  if (action === 'admin token revoke' && at > 0) return <bdi>{target}</bdi>;
  const before = named.endsWith('an account') ? named.slice(0, -'an account'.length) : '';
  return (
    <>
      {before}
      {target !== actor ? (
        <Account of={of} username={target} />
      ) : (
        `${actor === own ? 'your' : 'their'} own account`
      )}
    </>
  );
}

const Phrase = ({ of, text }: { readonly of: AuditEntry; readonly text: string }) => {
  const [before, target, after] = text.split(/[{}]/);
  return (
    <>
      {before}
      {target && <Target of={of} text={target} />}
      {after}
      <Additions of={of} />
    </>
  );
};

/** Why a username, password, code, token or passkey was refused, which answers do not tell. */
const CAUSES: Readonly<Partial<Record<Cause, string>>> = {
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
};

const causeOf = ({ outcome, details }: AuditEntry) =>
  outcome === 'invalid_credentials' ? details?.['cause'] : undefined;

/** Why something failed, in the words of the service. */
function reasonOf(entry: AuditEntry) {
  const cause = ownIn<string>(CAUSES, `${causeOf(entry)}`);
  if (cause) return cause;
  return isOfPasskey(entry) && entry.outcome === 'invalid_credentials'
    ? 'The passkey is not valid.'
    : (ownIn<{ text: string }>(FAILURES, entry.outcome)?.text ?? 'It failed.');
}

/** Logins that failed one after the other, with the same outcome. */
function FailedLogins({ of, count }: { readonly of: AuditEntry; readonly count: number }) {
  const { target, source } = of;
  const isOfToken = (causeOf(of) ?? 'account_unknown') !== 'account_unknown';
  const nobody = isOfPasskey(of) ? '' : isOfToken ? ' with a token' : ' of an unknown username';
  return (
    <>
      {count === 1 ? 'A failed login' : `${count} failed logins`}
      {target ? [' of ', <Account key="account" of={of} username={target} />] : nobody}
      {isOfPasskey(of) && ' with a passkey'}
      {source && (
        <>
          {' '}
          from <bdi>{source}</bdi>
        </>
      )}
    </>
  );
}

const isOfPasskey = ({ action }: AuditEntry) => action === 'account.passkey-assert';

export const isFailedLogin = (entry: AuditEntry) =>
  (['account.login', 'oauth.token'].includes(entry.action) || isOfPasskey(entry)) && entry.outcome !== 'ok';

/** How often somebody was refused, if more than once. */
const often = (count: number) =>
  count > 1 && <span class="faint"> ({count.toLocaleString('en')} times)</span>;

/** An entry as a sentence; with a `count`, the first of as many refusals. */
export function Sentence({ of, count = 1 }: { readonly of: AuditEntry; readonly count?: number }) {
  const { action, details, outcome, changed } = of;
  const text = details?.['resource']
    ? 'get a token'
    : (ownIn(SENTENCES, action) ?? ownIn(READS, action) ?? 'use what this page does not know');
  if (isFailedLogin(of))
    return (
      <>
        <FailedLogins of={of} count={count} />. <span class="bad">{reasonOf(of)}</span>
      </>
    );
  if (outcome === 'ok')
    return (
      <>
        <Actor of={of} /> <Phrase of={of} text={done(text)} />
        {changed === false && !READ_ONLY.includes(action) && <span class="faint">: nothing changed</span>}
      </>
    );
  if (outcome === 'step_up_required')
    return (
      <>
        <Actor of={of} /> tried to <Phrase of={of} text={text} />
        <span class="faint">: it has to be confirmed with a passkey</span>
        {often(count)}
      </>
    );
  if (outcome === 'started')
    return (
      <>
        <Actor of={of} /> began to <Phrase of={of} text={text} />.{' '}
        <span class="warn">It still runs, or was cut off.</span>
      </>
    );
  return (
    <>
      <Actor of={of} /> tried to <Phrase of={of} text={text} />. <span class="bad">{reasonOf(of)}</span>
      {often(count)}
      {changed === null && <span class="bad"> It may have changed something.</span>}
    </>
  );
}
