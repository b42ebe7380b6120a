import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { AuditEntry, Profile, RequestOptions } from '#lib/client/index';
import { report as t } from '#texts/report';
import { Entry, Exact, openDocument, Rows } from '../document.tsx';
import { client, Me, useInstance } from '../session.ts';
import { FIELDS, textOf } from './fields.tsx';
import { nameOf } from './person.tsx';
import { Sentence } from './sentence.tsx';
import { programOf } from './sessions.tsx';

export type AllOf = Awaited<ReturnType<typeof client.account.export>>;

/** Everything that the service stores about an account, from as many requests as it needs. */
export async function readAll(username: string, options: RequestOptions): Promise<AllOf> {
  const first = await client.account.export({ username }, options);
  const audit = [...first.audit];
  for (let cursor = first.audit_next; cursor !== undefined; ) {
    const page = await client.account.export({ username, cursor }, options);
    audit.push(...page.audit);
    cursor = page.audit_next;
  }
  return { ...first, audit, audit_truncated: undefined, audit_next: undefined };
}

const listed = (names: readonly string[] | null | undefined, none: string = t.none): ComponentChildren =>
  names && names.length > 0
    ? names.map((name, index) => [index > 0 && ', ', <bdi key={name}>{name}</bdi>])
    : none;

/** Entries as sentences that name all people: a report is read by others than the person at the page. */
function Entries({ of }: { readonly of: readonly AuditEntry[] }) {
  const { user: _, ...me } = useContext(Me) ?? {};
  return (
    <Me.Provider value={me as Profile}>
      <Sentences of={of} />
    </Me.Provider>
  );
}

const Sentences = ({ of }: { readonly of: readonly AuditEntry[] }) => (
  <Rows
    head={t.activityHead}
    of={of.map((entry) => [
      <Exact key="time" of={entry.last_at ?? entry.time} />,
      <Sentence key="what" of={entry} count={entry.count ?? 1} />,
      entry.source ? <bdi key="source">{entry.source}</bdi> : t.unknown,
    ])}
    none={t.nothing}
  />
);

/** Properties without a value are none. */
const shownOf = (user: Parameters<typeof textOf>[0], name: Parameters<typeof textOf>[1]) =>
  textOf(user, name).replace(/^{("root":{})?}$/, '');

/** What the service stores about an account, as people read it. */
function Report({ of }: { readonly of: AllOf }) {
  const { exported_at, profile, tokens = [], sessions = [], passkeys = [], code, audit, attempts = [] } = of;
  const instance = useInstance();
  const user = profile?.user;
  return (
    <>
      <dl>
        <Entry name={t.organisation}>
          <bdi>{instance}</bdi>
        </Entry>
        <Entry name={t.about}>
          <bdi>{user && nameOf(user)}</bdi> (<bdi>{user?.username}</bdi>)
        </Entry>
        {of.userid && <Entry name={t.account}>{of.userid}</Entry>}
        <Entry name={t.at}>
          <Exact of={exported_at} />
        </Entry>
      </dl>
      <p>{t.secrets}</p>
      <h2>{t.profile}</h2>
      <dl>
        {FIELDS.map(({ name, label }) => (
          <Entry key={name} name={label}>
            <bdi>{shownOf(user, name) || t.empty}</bdi>
          </Entry>
        ))}
        <Entry name={t.state}>{user && [t.states(user.isactive, user.islocked)]}</Entry>
        <Entry name={t.code}>
          {code
            ? t.codeText(
                <Exact of={code.created_at} />,
                <bdi>{code.created_by}</bdi>,
                <Exact of={code.expires_at} />,
              )
            : t.none}
        </Entry>
      </dl>
      <h2>{t.access}</h2>
      <dl>
        <Entry name={t.roles}>{listed(profile?.roles)}</Entry>
        <Entry name={t.teams}>{listed(profile?.teams.map(({ team_short }) => team_short))}</Entry>
        <Entry name={t.apps}>{listed(profile?.apps)}</Entry>
      </dl>
      <h2>{t.passkeys}</h2>
      <Rows
        head={t.passkeysHead}
        of={passkeys.map(({ name, created_at, used_at, rp_id }) => [
          <bdi key="name">{name}</bdi>,
          <Exact key="created" of={created_at} />,
          <Exact key="used" of={used_at} />,
          rp_id,
        ])}
        none={t.nothing}
      />
      <h2>{t.sessions}</h2>
      <Rows
        head={t.sessionsHead}
        of={sessions.map(({ created_at, expires_at, address, user_agent, credential }) => [
          <Exact key="created" of={created_at} />,
          <Exact key="expires" of={expires_at} />,
          <bdi key="address">{address}</bdi>,
          <bdi key="agent">{programOf(user_agent)}</bdi>,
          credential ? <bdi key="credential">{credential}</bdi> : t.password,
        ])}
        none={t.nothing}
      />
      {of.sessions_truncated && <p>{t.sessionsCut}</p>}
      <h2>{t.tokens}</h2>
      <Rows
        head={t.tokensHead}
        of={tokens.map((token) => [
          <span key="name">
            <bdi>{token.name}</bdi>
            {token.token_description && [': ', <bdi key="about">{token.token_description}</bdi>]}
          </span>,
          <span key="created">
            <Exact of={token.token_created_at} />, <bdi>{token.token_created_by}</bdi>
          </span>,
          <Exact key="used" of={token.token_used_at} />,
          token.token_expires_at ? <Exact key="ends" of={token.token_expires_at} /> : t.noEnd,
          <span key="limits">
            {token.token_access === 'read' ? t.readOnly : t.readAndWrite},{' '}
            {t.rolesOf(listed(token.token_roles, t.all))},{' '}
            {t.addressesOf(listed(token.token_addresses, t.all))}
          </span>,
        ])}
        none={t.nothing}
      />
      <h2>{t.activity}</h2>
      <Entries of={audit} />
      <h2>{t.attempts}</h2>
      <p>{t.attemptsText}</p>
      <Entries of={attempts} />
    </>
  );
}

/** Shows everything about an account as a document. */
export const openReport = (of: AllOf) => openDocument({ title: t.title, children: <Report of={of} /> });
