import type { PendingEvent } from '../../../client/index.ts';
import { Listing, show } from '../listing.tsx';

import { useList } from '../query.ts';
import { client } from '../session.ts';

export function Events() {
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
