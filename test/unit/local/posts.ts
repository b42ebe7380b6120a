import { createServer } from 'node:http';
import { listen, readBody } from '../../../infra/local/machine/listen.ts';
import type { DeliveredEvent } from '../../../infra/local/services/event-bus/event-file.ts';

/** A subscriber that answers each event with a status, 0 meaning never. */
export async function openPosts(answer: (event: DeliveredEvent) => number = () => 204) {
  const events: DeliveredEvent[] = [];
  const received = new Set<string>();
  const server = createServer(async (request, response) => {
    const event = JSON.parse(String(await readBody(request, 2 ** 20))) as DeliveredEvent;
    events.push(event);
    const status = answer(event);
    if (status === 0) return;
    if (status < 300) received.add((event.detail as { id: string }).id);
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/hook`,
    /** Every event that was posted, in the order of arrival. */
    events,
    /** `detail.id` of the events that were answered with success. */
    received,
    async close() {
      server.closeAllConnections();
      await close();
    },
  };
}
