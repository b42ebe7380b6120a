import type { ComponentChildren } from 'preact';
import type { Session } from '#lib/client/index';
import { own as t } from '#texts/own';
import type { Action } from '../act.tsx';
import { ListPart, show } from '../listing.tsx';
import { client, leave, ownSession } from '../session.ts';
import { NameOf } from './names.tsx';

/** Names of programs and systems by what their user agents contain, the special ones first. */
const PROGRAMS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = {
  Windows: 'Windows',
  iPhone: 'iOS',
  iPad: 'iPadOS',
  Android: 'Android',
  Mac: 'macOS',
  Linux: 'Linux',
};

/** A browser and its system in words; another program by its own name. */
export function programOf(agent: string | null | undefined): string {
  const find = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([part]) => agent?.includes(part))?.[1];
  const program = agent?.startsWith('Mozilla/') && find(PROGRAMS);
  const system = find(SYSTEMS);
  return program ? (system ? t.programOn(program, system) : program) : agent || t.unknownProgram;
}

/** Whether this page has the session. */
const isHere = ({ id }: Session) => id === ownSession.value;

/** The program in words, which opens to what it says of itself. */
const Program = (session: Session) => {
  const { user_agent: agent } = session;
  const program = programOf(agent);
  return (
    <div class="row">
      {agent && agent !== program ? (
        <details class="program">
          <summary title={t.userAgent}>
            <bdi>{program}</bdi>
          </summary>
          <bdi class="faint small">{agent}</bdi>
        </details>
      ) : (
        <bdi>{program}</bdi>
      )}
      {isHere(session) && <span class="badge good">{t.thisBrowser}</span>}
    </div>
  );
};

/** What the record of a session names, by its beginning. */
const CREDENTIALS = { 'passkey:': t.byPasskey, 'trust:': t.byTrust, '': t.byToken };

const Credential = ({ credential }: Session): ComponentChildren => {
  if (credential === null || credential === undefined) return t.byPassword;
  const [beginning, text] = Object.entries(CREDENTIALS).find(([each]) => credential.startsWith(each)) ?? [];
  return <span>{text?.(<bdi key="name">{credential.slice(beginning?.length)}</bdi>)}</span>;
};

interface SessionsProps {
  readonly username: string;
  readonly inputs?: readonly unknown[];
  /** Actions on all of them. */
  readonly actions?: readonly Action[];
}

/** The open sessions of an account. */
export function SessionList({ username, inputs = [], actions = [] }: SessionsProps) {
  const end = (session: Session): Action => ({
    label: t.endSession,
    title: isHere(session)
      ? t.endSessionAskHere
      : t.endSessionAsk(<bdi key="program">{programOf(session.user_agent)}</bdi>),
    on: session.address,
    text: isHere(session) ? t.endHere : t.endThere,
    isDangerous: true,
    // Nothing is left to load.
    ...(isHere(session) && { after: undefined }),
    run: async (_, options) => {
      await client.account.endSession({ username, session_id: session.id }, options);
      if (isHere(session)) leave();
    },
    done: () => t.sessionEnded(<NameOf key="name" username={username} />),
  });
  return (
    <ListPart
      read={(page, options) => client.account.sessions({ username, ...page }, options)}
      inputs={inputs}
      actions={actions}
      at="sessions"
      caption={t.sessions}
      keyOf={({ id }) => id}
      empty={t.noSessions}
      columns={[
        { label: t.program, cell: Program },
        ...show<Session>({ [t.address]: 'address', [t.began]: 'created_at', [t.ends]: 'expires_at' }),
        { label: t.openedWith, cell: Credential },
      ]}
      actionsOn={(session) => [end(session)]}
    />
  );
}
