import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { lastStarted } from '../local/last-started.ts';
import { SECRET_FILE } from '../local/machine/resource-names.ts';
import { SignatureRefused, verify } from '../local/services/signature.ts';
import { readSecret } from '../local/subscription.ts';
import { type AccountEvent, cleanUp } from './clean-up.ts';
import { openCustomers } from './customers.ts';

/**
 * The example of a subscriber, beside a local instance: takes the signed posts of `npm start -- --subscribe`, and does
 * what its function does in the cloud. `GET /` shows its customers.
 *
 * @param data the data directory of the instance
 * @returns the URL to subscribe
 */
export async function startExample(data: string, port: number) {
  const server = createServer((request, response) => {
    const answer = request.method === 'POST' ? receive(data, request) : show(data);
    answer.then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error: Error) => {
        console.error(`failed  ${error.message}: the instance will post it again`);
        response.writeHead(500).end();
      },
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

async function receive(data: string, request: IncomingMessage): Promise<[number, string]> {
  const body = await text(request);
  const secret = process.env['SUBSCRIBE_SECRET'] ?? readSecret(join(data, SECRET_FILE));
  if (!secret) throw new Error(`${data} has no secret: start the instance with --subscribe`);
  try {
    verify(request.headers, body, secret);
  } catch (error) {
    if (!(error instanceof SignatureRefused)) throw error;
    console.error(`refused  ${error.message}`);
    return [401, JSON.stringify({ error: error.message })];
  }
  const event = JSON.parse(body) as AccountEvent;
  const { client, table } = await openCustomers(data);
  const outcome = await cleanUp(client, table, event);
  const { username, transition } = event.detail;
  console.log(`${outcome}  ${username}, by ${event['detail-type']} (transition ${transition})`);
  return [200, JSON.stringify({ outcome })];
}

const show = async (data: string): Promise<[number, string]> => [
  200,
  `${JSON.stringify(await (await openCustomers(data)).all(), null, 2)}\n`,
];

if (import.meta.main) {
  const { data, port } = new Command('npm run example --')
    .description('A subscriber of the local instance, which cleans up after accounts that are cancelled.')
    .option('--data <dir>', 'data directory of the instance', lastStarted() ?? '.local')
    .option('--port <port>', 'where it listens', '4000')
    .parse()
    .opts<{ data: string; port: string }>();
  const { url } = await startExample(data, Number(port));
  console.log(`Subscribe with  npm start -- --subscribe ${url}\nCustomers at    ${url}`);
}
