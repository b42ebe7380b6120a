import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { CODE_HOURS } from '#lib/account/maxima';
import type { Account } from '#lib/client/index';
import { SET_ASIDE_AFTER_HOURS } from '#lib/outbox/set-aside';
import { isoOf } from '#lib/time';
import { attention as t } from '#texts/attention';
import type { Concern } from '../accounts/concerns.ts';
import {
  ALL,
  countNow,
  inbox,
  type Matter,
  type Of,
  refresh,
  refreshCount,
  rememberSlow,
  sorted,
  sourceOf,
  tokensRead,
} from '../accounts/inbox.ts';
import { LATER_DAYS, later, putOff, takeBack } from '../accounts/later.ts';
import { changeOwner, Owner } from '../accounts/machines.tsx';
import { NameOf } from '../accounts/names.tsx';
import { nameOf } from '../accounts/person.tsx';
import { By, deletion, rotation } from '../accounts/tokens.tsx';
import { Username, Who } from '../accounts/who.tsx';
import { Act, type Action } from '../act.tsx';
import { Button } from '../button.tsx';
import { Empty } from '../empty.tsx';
import { Failed } from '../failed.tsx';
import { Invitation } from '../invitation.tsx';
import { Pending } from '../listing.tsx';
import { number } from '../locale.ts';
import { Disclosure, Hours } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { client } from '../session.ts';
import { Time, When } from '../time.tsx';
import { PageTitle } from '../title.tsx';

type Kind = Matter['kind'];

/** The kinds of matters, the most urgent first. */
const KINDS = Object.keys(t.groups) as Kind[];

const newCode = (account: Account): Action => {
  const { username } = account;
  const name = nameOf(account) || username;
  return {
    label: t.newCode,
    title: t.newCodeAsk(<bdi>{name}</bdi>),
    text: t.newCodeText,
    children: <Hours defaultValue={`${CODE_HOURS}`} required />,
    run: async ({ hours }, options) => {
      const { code, expires_at } = await client.account.code({ username, hours: Number(hours) }, options);
      return <Invitation username={username} name={name} code={code} ends={expires_at} />;
    },
    done: ({ hours }) => t.newCodeDone(<bdi>{name}</bdi>, Number(hours)),
  };
};

const Link = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <a class="button" href={to}>
    {children}
  </a>
);

const person = (username: string, part?: string) => hrefTo('account', { username, part });

/** What is so about a matter of an account. */
function FactOf(
  matter: Of<'codes' | 'leavers' | 'bare' | 'refused' | 'idle' | 'machines'>,
): ComponentChildren {
  switch (matter.kind) {
    case 'codes':
      return matter.ended ? t.codeEnded(<Time of={matter.ended} />) : t.codeGone;
    case 'leavers':
      return t.erasableSince(<When of={`${matter.account.erasable_from}`} />);
    case 'bare':
      return t.noPasskey;
    case 'machines':
      return t.formerOwner(<Owner {...matter.account} />);
    case 'refused':
      return t.passkey(
        <bdi>{matter.passkey.name}</bdi>,
        t.since(<When of={`${matter.passkey.counter_fell_at}`} />),
      );
    case 'idle':
      return t.passkey(
        <bdi>{matter.passkey.name}</bdi>,
        matter.passkey.used_at ? t.lastUsed(<Time of={matter.passkey.used_at} />) : t.neverUsed,
      );
  }
}

/** Why a token needs attention, in its own words. */
function reasonOf(concern: Concern, { token }: Of<Concern>): ComponentChildren {
  const { token_created_by: maker, token_expires_at: end, token_used_at, token_created_at } = token;
  switch (concern) {
    case 'maker':
      return t.reasons.maker(<By username={maker} />);
    case 'ending':
      return t.reasons.ending(<Time of={end} />);
    case 'unused':
      return t.reasons.unused(<Time of={token_used_at} />);
    case 'never':
      return t.reasons.never(<Time of={token_created_at} />);
    case 'endless':
      return t.reasons.endless;
  }
}

function Events({ events, isMore }: Of<'events'>) {
  const aside = events.filter(({ state }) => state === 'set-aside').length;
  const numberOf = (n: number, more = '') => [`${number(n)}${more}`, n === 1 && !more] as const;
  return (
    <div>
      {t.wait(...numberOf(events.length, isMore ? '+' : ''), <When of={`${events[0]?.created_at}`} />)}
      {aside > 0 && ` ${t.setAside(...numberOf(aside))}`}
      <Disclosure title={t.eventsLink}>
        <p class="faint">
          {t.eventsHelp(SET_ASIDE_AFTER_HOURS)} <code>events publish</code>
        </p>
      </Disclosure>
    </div>
  );
}

/** Whom or what a matter is about, and what is so. */
function Subject(matter: Matter) {
  if ('events' in matter) return <Events {...matter} />;
  if ('account' in matter)
    return (
      <>
        <Who {...matter.account} />
        <span class="faint">
          <FactOf {...matter} />
        </span>
      </>
    );
  const { token, concerns } = matter;
  return (
    <>
      <span>
        {t.token(
          <strong>
            <bdi>{token.name}</bdi>
          </strong>,
          <Username username={token.username}>
            <NameOf username={token.username} />
          </Username>,
        )}
      </span>
      <span class="faint">
        {concerns.map((concern, index) => [index > 0 && ', ', reasonOf(concern, matter)])}
      </span>
    </>
  );
}

/** What to do about a matter. */
function Next({ matter, after }: { readonly matter: Matter; readonly after: () => void }) {
  switch (matter.kind) {
    case 'codes':
      return <Act {...newCode(matter.account)} after={after} />;
    case 'leavers':
      return <Link to={person(matter.account.username)}>{t.erase}</Link>;
    case 'bare':
      return <Link to={person(matter.account.username)}>{t.openPerson}</Link>;
    case 'refused':
    case 'idle':
      return <Link to={person(matter.account.username, 'access')}>{t.openAccess}</Link>;
    case 'machines':
      return <Act {...changeOwner(matter.account)} after={after} />;
    case 'events':
      return null;
    case 'maker':
      return <Act {...rotation(matter.token)} after={after} />;
    case 'unused':
    case 'never':
      return <Act {...deletion(matter.token)} after={after} />;
    case 'ending':
    case 'endless':
      return <Link to={person(matter.token.username, 'tokens')}>{t.openTokens}</Link>;
  }
}

/** A name of a matter for the label of its button. */
const labelOf = (matter: Matter): string =>
  'account' in matter
    ? nameOf(matter.account) || matter.account.username
    : 'token' in matter
      ? `${matter.token.name}, ${matter.token.username}`
      : t.groups.events.title;

/** Matters of a kind that are shown at first, and more at a time. */
const FIRST = 5;
const MORE = 50;

interface GroupProps {
  readonly kind: Kind;
  readonly of: readonly Matter[];
  readonly reload: () => void;
}

/** The matters of a kind. */
function Group({ kind, of, reload }: GroupProps) {
  const [most, setMost] = useState(FIRST);
  const { title, note } = t.groups[kind];
  const isMany = of.length > 1;
  return (
    <section class="part">
      <div class="row">
        <h2>
          {title} {isMany && <span class="faint">{number(of.length)}</span>}
        </h2>
        {isMany && (
          <span class="row">
            {kind === 'codes' && (
              <a href={hrefTo('accounts', { state: 'code_expired' })}>{t.newCodes(number(of.length))}</a>
            )}
            <Button
              class="quiet"
              title={t.notNowHint(LATER_DAYS)}
              onClick={() => putOff(of.map(({ key }) => key))}
            >
              {t.notNowAll(number(of.length))}
            </Button>
          </span>
        )}
      </div>
      <p class="about faint">{note}</p>
      <ul class="matters card" aria-label={title}>
        {of.slice(0, most).map((matter) => (
          <li key={matter.key} class="row">
            <Subject {...matter} />
            <span class="row end">
              <Next matter={matter} after={reload} />
              <Button
                class="quiet"
                title={t.notNowHint(LATER_DAYS)}
                aria-label={t.notNowFor(labelOf(matter))}
                onClick={() => putOff([matter.key])}
              >
                {t.notNow}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {of.length > most && (
        <Button class="quiet" onClick={() => setMost(most + MORE)}>
          {t.more(number(Math.min(of.length - most, MORE)))}
        </Button>
      )}
    </section>
  );
}

/** What was put off, which takes it back. */
const Off = ({ of }: { readonly of: readonly Matter[] }) => (
  <section class="part">
    <Disclosure title={t.off(number(of.length))}>
      <p class="faint">{t.offNote(LATER_DAYS)}</p>
      <ul class="matters card">
        {of.map((matter) => (
          <li key={matter.key} class="row">
            <Subject {...matter} />
            <span class="faint">
              {t.groups[matter.kind].title},{' '}
              {t.comesBack(<Time of={isoOf(later.value[matter.key] ?? Date.now())} />)}
            </span>
            <Button
              class="quiet"
              aria-label={t.takeBackFor(labelOf(matter))}
              onClick={() => takeBack(matter.key)}
            >
              {t.takeBack}
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  </section>
);

/** People, machines and credentials that wait for an administrator, as one list. */
export function Attention() {
  useLayoutEffect(() => {
    const ending = new AbortController();
    refresh(ALL, ending.signal);
    return () => ending.abort();
  }, []);
  const parts = Object.entries(inbox.value);
  const { now, off } = sorted();
  useLayoutEffect(rememberSlow);
  const again = (of: readonly (keyof typeof inbox.value)[]) => refresh(of, new AbortController().signal);
  const isLoading = parts.length < ALL.length || parts.some(([, part]) => part.isLoading && !part.matters);
  const failed = ALL.filter((source) => inbox.value[source]?.error !== undefined);
  const [firstFailed] = failed;
  return (
    <>
      <PageTitle title={t.title} note={t.note} />
      {KINDS.map((kind) => {
        const of = now.filter((matter) => matter.kind === kind);
        const [first] = of;
        return first && <Group key={kind} kind={kind} of={of} reload={() => again([sourceOf(first)])} />;
      })}
      {isLoading && <Pending isLoading reload={() => undefined} />}
      {isLoading && tokensRead.value > 0 && <p role="status">{t.read(number(tokensRead.value))}</p>}
      {firstFailed && <Failed error={inbox.value[firstFailed]?.error} retry={() => again(failed)} />}
      {!isLoading && !firstFailed && now.length === 0 && <Empty title={t.nothing}>{t.nothingNote}</Empty>}
      {parts.some(([, { isMore }]) => isMore) && now.length > 0 && <p class="faint">{t.mayBeMore}</p>}
      {off.length > 0 && <Off of={off} />}
    </>
  );
}

/** The number of matters, for the navigation: found by a few requests, once. */
export function AttentionCount() {
  useEffect(() => {
    const ending = new AbortController();
    refreshCount(ending.signal);
    return () => ending.abort();
  }, []);
  const { count, isMore } = countNow();
  const shown = `${number(count)}${isMore ? '+' : ''}`;
  return count > 0 ? (
    <span class="count">
      <span aria-hidden="true">{shown}</span>
      <span class="hidden">, {t.count(shown, count === 1)}</span>
    </span>
  ) : null;
}
