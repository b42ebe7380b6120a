import type { PendingEvent } from '#lib/client/index';
import { SET_ASIDE_AFTER_HOURS } from '#lib/outbox/set-aside';
import { ListScreen, show } from '../listing.tsx';
import { client } from '../session.ts';

const NOTE = (
  <>
    Every minute, a job publishes the events that wait. After {SET_ASIDE_AFTER_HOURS} hours of failures it
    retries an event no more; then an operator runs the command <code>events publish</code>.
  </>
);

export const Events = () => (
  <ListScreen
    read={client.event.pending}
    caption="Events waiting"
    title="Events waiting"
    note={NOTE}
    keyOf={({ id }) => id}
    empty="All events are published."
    columns={show<PendingEvent>({
      Event: 'type',
      Account: 'username',
      Created: 'created_at',
      State: 'state',
      ID: 'id',
    })}
  />
);
