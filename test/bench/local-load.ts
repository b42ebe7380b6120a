import { Agent, request } from 'node:http';

/** How many connections send one request after the other. */
const CONNECTIONS = 16;

/** A request to be sent: where to, and with which credential. */
export interface Shot {
  readonly path: string;
  readonly authorization: string;
}

/**
 * Sends so many requests over connections that stay open, and resolves once the last is answered.
 *
 * @param shotOf the nth of them
 * @throws Error where one is not answered with 200
 */
export async function sendAll(url: string, times: number, shotOf: (n: number) => Shot): Promise<void> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const send = ({ path, authorization }: Shot) =>
    new Promise<void>((resolve, reject) => {
      const sent = request({ agent, hostname, port, path, headers: { authorization } }, (response) => {
        response.resume().once('error', reject);
        if (response.statusCode === 200) response.once('end', resolve);
        else reject(new Error(`${path} answered ${response.statusCode}`));
      });
      sent.once('error', reject).end();
    });
  let next = 0;
  const connection = async () => {
    while (next < times) await send(shotOf(next++));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection)).finally(() => agent.destroy());
}
