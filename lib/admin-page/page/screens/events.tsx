import type { PendingEvent } from '../../../client/index.ts';
import { SET_ASIDE_AFTER_HOURS } from '../../../outbox/set-aside.ts';
import { ListPart, show } from '../listing.tsx';
import { client } from '../session.ts';
import { PageTitle } from '../title.tsx';

export const Events = () => (
  <>
    <PageTitle title="Events waiting" />
    <p class="faint">
      Every minute, a job publishes the events that wait. After {SET_ASIDE_AFTER_HOURS} hours of failures it
      retries an event no more; then an operator runs the command <code>events publish</code>.
    </p>
    <ListPart
      read={client.event.pending}
      caption="Events waiting"
      title=""
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
  </>
);
