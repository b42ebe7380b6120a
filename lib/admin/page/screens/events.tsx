import type { PendingEvent } from '../../../client/index.ts';
import { ListPart, show } from '../listing.tsx';
import { client } from '../session.ts';

export const Events = () => (
  <>
    <p class="faint">
      Every minute, a job publishes the events that wait. An event that fails for too long waits for an
      operator and the command <code>events publish</code>.
    </p>
    <ListPart
      read={client.event.pending}
      caption="Events waiting"
      title=""
      keyOf={({ id }) => id}
      empty="Nothing waits: all events are published."
      columns={show<PendingEvent>({
        Event: 'type',
        Account: 'username',
        Created: 'created_at',
        State: 'state',
        ID: 'id',
      })}
    />
  </>
);
