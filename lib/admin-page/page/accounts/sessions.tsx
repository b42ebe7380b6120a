import type { Session } from '../../../client/index.ts';
import type { Action } from '../act.tsx';
import { ListPart, show } from '../listing.tsx';
import { client } from '../session.ts';

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

const Program = ({ user_agent }: Session) => (
  <bdi title={user_agent ?? undefined}>{programOf(user_agent)}</bdi>
);

const Credential = ({ credential }: Session) => (credential ? <bdi>{credential}</bdi> : <>password</>);

interface SessionsProps {
  readonly username: string;
  readonly inputs?: readonly unknown[];
}

/** The open sessions of an account. */
export function SessionList({ username, inputs = [] }: SessionsProps) {
  const end = ({ id: session_id, address }: Session): Action => ({
    label: 'End session',
    on: address,
    text: 'Its next request is refused. The account and its other sessions stay as they are.',
    isDangerous: true,
    run: (_, options) => client.account.endSession({ username, session_id }, options),
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
