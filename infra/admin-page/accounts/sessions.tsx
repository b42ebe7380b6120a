import type { Session } from '#lib/client/index';
import type { Action } from '../act.tsx';
import { ListPart, show } from '../listing.tsx';
import { client, ownSession } from '../session.ts';

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
export function programOf(agent: string | null): string {
  const find = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([part]) => agent?.includes(part))?.[1];
  const program = agent?.startsWith('Mozilla/') && find(PROGRAMS);
  const system = find(SYSTEMS);
  return program ? program + (system ? ` on ${system}` : '') : agent || 'unknown';
}

/** Whether this page has the session. */
const isHere = ({ id }: Session) => id === ownSession.value;

const Program = (session: Session) => (
  <span class="row">
    <bdi title={session.user_agent ?? undefined}>{programOf(session.user_agent)}</bdi>
    {isHere(session) && <span class="badge good">this browser</span>}
  </span>
);

const Credential = ({ credential }: Session) => (credential ? <bdi>{credential}</bdi> : <>password</>);

interface SessionsProps {
  readonly username: string;
  readonly inputs?: readonly unknown[];
}

/** The open sessions of an account. */
export function SessionList({ username, inputs = [] }: SessionsProps) {
  const end = (session: Session): Action => ({
    label: 'End session',
    on: session.address,
    text: isHere(session)
      ? 'You will be logged out: it is the session of this browser. Your other sessions stay as they are.'
      : 'Its next request is refused. The account and its other sessions stay as they are.',
    isDangerous: true,
    run: (_, options) => client.account.endSession({ username, session_id: session.id }, options),
    done: () => (
      <>
        A session of <bdi>{username}</bdi> is ended: its next request is refused.
      </>
    ),
  });
  return (
    <ListPart
      read={(page, options) => client.account.sessions({ username, ...page }, options)}
      inputs={inputs}
      at="sessions"
      caption="Sessions"
      keyOf={({ id }) => id}
      empty="No open session. A login opens one."
      columns={[
        { label: 'Program', cell: Program },
        ...show<Session>({ Address: 'address', Began: 'created_at', Ends: 'expires_at' }),
        { label: 'Opened with', cell: Credential },
      ]}
      actionsOn={(session) => [end(session)]}
    />
  );
}
