import type { PendingEvent } from '../../../client/index.ts';
import { Listing } from '../listing.tsx';
import { show } from '../parts.tsx';
import { useList } from '../query.ts';
import type { Screen } from '../screen.ts';
import { client } from '../session.ts';

function Events() {
  const list = useList(client.event.pending, []);
  return (
    <>
      <p class="faint">
        Every minute, a job publishes the events that wait. One that was set aside needs an operator.
      </p>
      <Listing
        list={list}
        caption="Events waiting"
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
}

export const events: Screen = { id: 'events', title: 'Events waiting', isListed: true, View: Events };
