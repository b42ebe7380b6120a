import type { ComponentChildren } from 'preact';
import type { AuditEntry, Account as Person } from '#lib/client/index';
import { isIdLike, isPseudonym } from '#lib/item/erasure';
import { reasons } from '#texts/reasons';
import { sentences as t } from '#texts/sentences';
import { roleName } from '../memberships.tsx';
import { hrefTo } from '../place.ts';
import type { Said } from '../said.ts';
import { useOwnName } from '../session.ts';
import { When } from '../time.tsx';
import { NameOf } from './names.tsx';
import { type Group, summaryOf } from './operations.ts';
import { type Noun, type Phrase, READ_ONLY } from './sentences.ts';

/** A value by a name that may be any text. */
const ownIn = <T,>(table: Readonly<Record<string, T>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The texts of an action, of which an entry may have any name. */
export const phraseOf = (action: string): Phrase =>
  ownIn<Phrase>(t.actions, action) ?? ownIn<Phrase>(t.reads, action) ?? t.unknown;

/** Names in a sentence; the details of an entry have all of them. */
const MOST = 5;

/** Some names that people have chosen, with commas between them. */
export function some(of: readonly string[]): Said {
  const names = of
    .slice(0, MOST)
    .map((name, index) => [index > 0 && ', ', <bdi key={name}>{name}</bdi>] as ComponentChildren);
  return of.length > MOST ? t.more(names, of.length - MOST) : names;
}

/** A field of a profile in words: `user_first_name` as `first name`. */
export const fieldName = (name: string) =>
  ownIn<string>(t.fields, name) ?? name.replace(/^user_|_id$/g, '').replaceAll('_', ' ');

interface NamedProps extends Pick<Person, 'username'> {
  readonly children: ComponentChildren;
}

/** A link to an account, with its username on hover. */
const Linked = ({ username, children }: NamedProps) => (
  <a href={hrefTo('account', { username })} title={username}>
    {children}
  </a>
);

/** The text of an account that no link leads to. */
const Unlinked = ({ username, children }: NamedProps) => <bdi title={username}>{children}</bdi>;

/** A person whose name an entry does not have. */
const Other = ({ username, noun }: Pick<Person, 'username'> & { readonly noun: Noun }) =>
  isPseudonym(username) ? (
    <span title={username}>{noun.erased}</span>
  ) : (
    <Linked username={username}>
      <NameOf username={username} />
    </Linked>
  );

type Addition = (text: string, names: readonly string[]) => Said;

const { additions } = t;
const bdi = (text: string) => <bdi>{text}</bdi>;
const amount =
  (say: (count: number) => string): Addition =>
  (count) =>
    Number(count) > 0 && say(Number(count));
const access =
  (say: (names: Said, count: number) => Said, nameOf: (name: string) => string = String): Addition =>
  (_, names) =>
    say(some(names.map(nameOf)), names.length);

/**
 * What the details of an entry add to its sentence, by their names and in this order, since the order of an entry is
 * that of its request; all others are for those who open them.
 */
const ADDITIONS: Readonly<Record<string, Addition>> = {
  until: (time) => additions.until(<When of={time} />),
  expires_at: (time) => additions.expires_at(<When of={time} />),
  source: (username) => additions.source(<Other username={username} noun={t.account} />),
  user_app_name: (name) => additions.user_app_name(bdi(name)),
  file: (name) => additions.file(bdi(name)),
  reason: (text) => additions.reason(bdi(text)),
  fields: (_, names) => additions.fields(names.map(fieldName).join(', ')),
  roles_added: access(additions.roles_added, roleName),
  roles_removed: access(additions.roles_removed, roleName),
  teams_added: access(additions.teams_added),
  teams_removed: access(additions.teams_removed),
  apps_added: access(additions.apps_added),
  apps_removed: access(additions.apps_removed),
  invite_hours: amount(additions.invite_hours),
  to_machine: () => additions.to_machine,
  machine_owner: (username) => additions.machine_owner(<Other username={username} noun={t.account} />),
  passkey: (name) => additions.passkey(bdi(name)),
  trust: (name) => additions.trust(bdi(name)),
  proof: (proof) => proof === 'code' && additions.byCode,
  secret: () => additions.former,
  revoked: (count) => additions.revoked(Number(count)),
  tokens_revived: amount(additions.tokens_revived),
  tokens_revoked: amount(additions.tokens_revoked),
  count: (count) => count !== '' && additions.count(Number(count)),
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

const isLinked = ({ action, outcome }: AuditEntry) => {
  const isMade = !/create|import|first/.test(action) || outcome === 'account_exists';
  return outcome === 'ok' || (isMade && !UNSEEN.includes(outcome));
};

interface AccountProps extends Pick<Person, 'username'> {
  readonly of: AuditEntry;
  /** What its name replaces. */
  readonly noun: Noun;
}

/** The account that an entry is about, or that owns its token: by its name, with a link if an account has it; the own one in words. */
function Account({ of, username, noun }: AccountProps) {
  const own = useOwnName();
  if (isPseudonym(username)) return <span title={username}>{noun.erased}</span>;
  if (username === own) return <Linked username={username}>{noun.yours}</Linked>;
  const By = isLinked(of) ? Linked : Unlinked;
  return (
    <>
      {noun.named(
        <By key="name" username={username}>
          <bdi>{of.target_name || username}</bdi>
        </By>,
      )}
    </>
  );
}

/** The last part of a name or ARN that an operator claims. */
const lastPart = (claim: unknown) => `${claim}`.split('/').at(-1);

/** Who has done something. An operator may claim any name: only the policy is proved. */
export function Actor({ of: { actor, actor_name, action, details } }: { readonly of: AuditEntry }) {
  const own = useOwnName();
  if (action === 'first-start') return <>{t.actors.firstStart}</>;
  if (!actor) return <>{t.actors.someone}</>;
  if (actor === own) return <Linked username={actor}>{t.actors.you}</Linked>;
  if (actor === 'secrets-manager') return <>{t.actors.service}</>;
  if (isPseudonym(actor)) return <span title={actor}>{t.actors.erased}</span>;
  if (!actor.startsWith('operator:'))
    return (
      <Linked username={actor}>
        <bdi>{actor_name || actor}</bdi>
      </Linked>
    );
  const claim = details?.['claimed_by'];
  return (
    <>
      {t.actors.operator}
      {claim && <span class="faint"> {t.actors.unproved(bdi(`${lastPart(claim)}`))}</span>}
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
    const its = owner !== actor && [' ', <Account key="owner" of={of} username={owner} noun={t.owner} />];
    return <>{t.token(<bdi key="token">{target.slice(0, at)}</bdi>, its, general)}</>;
  }
  if (/^(admin )?team\b/.test(action)) return <>{t.team(<bdi key="team">{target}</bdi>, general)}</>;
  // Its entries name an account or a token, and both may have an at sign; others name an address.
  if ((action === 'admin token revoke' && at > 0) || action.startsWith('admin login'))
    return <bdi>{target}</bdi>;
  const [ending = '', noun = t.account] =
    Object.entries(t.nouns).find(([ending]) => named.endsWith(ending)) ?? [];
  return (
    <>
      {ending && named.slice(0, -ending.length)}
      {target === actor ? noun.own(actor === own) : <Account of={of} username={target} noun={noun} />}
    </>
  );
}

interface SaidProps {
  readonly of: AuditEntry;
  /** A form of a phrase. */
  readonly text: string;
  /** Replaces the text in braces. */
  readonly target?: ComponentChildren;
}

const Saying = ({ of, text, target }: SaidProps) => {
  const [before, about, after] = text.split(/[{}]/);
  return (
    <>
      {before}
      {about && (target ?? <Target of={of} text={about} />)}
      {after}
    </>
  );
};

/** How somebody got a token or a session: by the token or the trust of a machine. */
function tokenPhrase({ action, credential, details }: AuditEntry) {
  if (action !== 'oauth.token') return undefined;
  const trust = credential?.startsWith('trust:') ? credential.slice('trust:'.length) : undefined;
  const resource = details?.['resource'];
  if (resource)
    return {
      phrase: t.tokenForService,
      target: bdi([resource].flat().join(', ')),
      by: trust !== undefined && t.byTrust(bdi(trust)),
    };
  if (trust !== undefined) return { phrase: t.trustLogin, target: bdi(trust), by: false };
  if (credential && !isIdLike(credential))
    return { phrase: t.tokenLogin, target: bdi(credential), by: false };
  return undefined;
}

const causeOf = ({ outcome, details }: AuditEntry) =>
  outcome === 'invalid_credentials' ? details?.['cause'] : undefined;

/** A cause in words; undefined for others than those that people are told. */
export const causeText = (cause: unknown) => ownIn<string>(t.causes, `${cause}`);

/** Why something failed. */
export function reasonOf(entry: AuditEntry) {
  const cause = causeText(causeOf(entry));
  if (cause) return cause;
  return isOfPasskey(entry) && entry.outcome === 'invalid_credentials'
    ? t.invalidPasskey
    : (ownIn<string>(reasons, entry.outcome) ?? t.failed);
}

/** Logins that failed one after the other, with the same outcome. */
function FailedLogins({ of, count }: { readonly of: AuditEntry; readonly count: number }) {
  const { target, source } = of;
  const { account, token, unknown, passkey, from } = t.failedLogins;
  const isOfToken = (causeOf(of) ?? 'account_unknown') !== 'account_unknown';
  const nobody = isOfPasskey(of) ? '' : isOfToken ? token : unknown;
  return (
    <>
      {t.failedLogins.of(
        count,
        target ? account(<Account key="account" of={of} username={target} noun={t.dative} />) : nobody,
      )}
      {isOfPasskey(of) && passkey}
      {source && from(bdi(source))}
    </>
  );
}

const isOfPasskey = ({ action }: AuditEntry) => action === 'account.passkey-assert';

export const isFailedLogin = (entry: AuditEntry) =>
  (['account.login', 'oauth.token'].includes(entry.action) || isOfPasskey(entry)) && entry.outcome !== 'ok';

/** How often somebody was refused, if more than once. */
const often = (count: number) => count > 1 && <span class="faint"> {t.times(count)}</span>;

/** An entry as a sentence; with a `count`, the first of as many refusals. */
export function Sentence({ of, count = 1 }: { readonly of: AuditEntry; readonly count?: number }) {
  const { action, actor, outcome, changed } = of;
  const isYou = actor !== null && actor === useOwnName();
  const { phrase, target, by } = tokenPhrase(of) ?? { phrase: phraseOf(action) };
  const who = <Actor key="actor" of={of} />;
  const saying = (text: string) => [
    <Saying key="saying" of={of} text={text} target={target} />,
    by,
    <Additions key="additions" of={of} />,
  ];
  if (isFailedLogin(of))
    return (
      <>
        <FailedLogins of={of} count={count} />. <span class="bad">{reasonOf(of)}</span>
      </>
    );
  if (outcome === 'ok')
    return (
      <>
        {t.did(who, saying(phrase.done), isYou)}
        {changed === false && !READ_ONLY.includes(action) && <span class="faint">{t.unchanged}</span>}
      </>
    );
  if (outcome === 'step_up_required')
    return (
      <>
        {t.tried(who, saying(phrase.tried), isYou)}
        <span class="faint">{t.unconfirmed}</span>
        {often(count)}
      </>
    );
  if (outcome === 'started')
    return (
      <>
        {t.began(who, saying(phrase.tried), isYou)} <span class="warn">{t.stillRuns}</span>
      </>
    );
  return (
    <>
      {t.tried(who, saying(phrase.tried), isYou)}. <span class="bad">{reasonOf(of)}</span>
      {often(count)}
      {changed === null && <span class="bad"> {t.mayHaveChanged}</span>}
    </>
  );
}

/** What was done to several people at once, as one sentence. */
export function OperationSentence({ of }: { readonly of: Group }) {
  const [first] = of;
  const isYou = first.actor !== null && first.actor === useOwnName();
  const { kind, roles, changed, unchanged, failed } = summaryOf(of);
  const { operations } = t;
  const [before, about = '', after] = phraseOf(first.action).done.split(/[{}]/);
  const [general = '', named = general] = about.split('|');
  const [ending = '', noun = t.account] =
    Object.entries(t.nouns).find(([ending]) => named.endsWith(ending)) ?? [];
  const many = [before, ending && named.slice(0, -ending.length), noun.many(changed), after];
  const done =
    kind === 'given' || kind === 'taken'
      ? operations[kind](some(roles.map(roleName)), roles.length, changed)
      : kind === 'created'
        ? operations.created(changed)
        : many;
  const others = [
    unchanged > 0 && operations.unchanged[kind](unchanged),
    failed > 0 && operations.failed(failed),
  ].filter(Boolean);
  return (
    <>
      {t.did(<Actor key="actor" of={first} />, done, isYou)}
      {others.length > 0 && <span class="faint"> ({others.join(', ')})</span>}
    </>
  );
}
