import type { Session } from '../../../../client/index.ts';
import type { Read } from '../../accounts/read.ts';
import type { Action } from '../../act.tsx';
import { ListPart, show } from '../../listing.tsx';
import { client } from '../../session.ts';

export function Sessions({ item }: Read) {
  const { username } = item;
  const end = ({ id: session_id, address }: Session): Action => ({
    label: 'End session',
    on: address,
    text: 'Its next request is refused. The account and its other sessions stay as they are.',
    isDangerous: true,
    run: (_, options) => client.account.endSession({ username, session_id }, options),
  });
  return (
    <ListPart
      read={(page, options) => client.account.sessions({ username, ...page }, options)}
      inputs={[item]}
      at="sessions"
      caption="Sessions"
      keyOf={({ id }) => id}
      empty="The account has no open session."
      columns={show<Session>({
        Began: 'created_at',
        Ends: 'expires_at',
        Address: 'address',
        Program: 'user_agent',
        Token: 'credential',
      })}
      actionsOn={(session) => [end(session)]}
    />
  );
}
