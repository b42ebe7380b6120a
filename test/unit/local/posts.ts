import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from '../../../infra/local/machine/listen.ts';
import { readBody } from '../../../infra/local/machine/read-body.ts';
import type { DeliveredEvent } from '../../../infra/local/services/put-events.ts';

/** What came to a subscriber. */
export interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: DeliveredEvent;
  /** `detail.id` */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A subscriber that answers each post with the status that `answer` says, 0 meaning never. @param port 0 picks one */
export async function openPosts(answer: (post: Post) => number = () => 204, port = 0) {
  const posts: Post[] = [];
  const received = new Set<string>();
  const arriving: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const text = String(await readBody(request, 2 ** 20));
    const event = JSON.parse(text) as DeliveredEvent;
    const { id } = event.detail as { id: string };
    for (const arrived of arriving.splice(0)) arrived();
    const post = { headers: request.headers, text, event, id, at: Date.now() };
    posts.push(post);
    const status = answer(post);
    if (status === 0) return;
    if (status < 300) received.add(id);
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  const { url, close } = await listen(server, port);
  return {
    url: `${url}/hook`,
    port: Number(new URL(url).port),
    /** Every post, in the order of arrival. */
    posts,
    /** The ids of the events that were answered with success. */
    received,
    /** Resolves with the next post. */
    next: () => new Promise<void>((resolve) => arriving.push(resolve)),
    async close() {
      server.closeAllConnections();
      await close();
    },
  };
}
