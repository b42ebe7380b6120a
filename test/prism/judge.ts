import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { onFreePort } from '../../infra/local/engine/engine.ts';
import { bytesOf, type Exchange, serve, without } from './exchange.ts';

export const PRISM = join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** How long Prism may take to judge an exchange. */
const PATIENCE_MS = 10_000;

/** Names an exchange on its way through Prism. */
const ID = 'x-exchange';

/** Of one connection. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect', 'host']);

/** Prism says of a body what it is by these alone. */
const OF_BODY = new Set([...HOP, 'content-type', 'content-encoding']);

export interface Judgement {
  readonly exchange: Exchange;
  /** Violations of the document by the answer, by the request. */
  readonly response: readonly string[];
  readonly request: readonly string[];
  /** Whether Prism could read the body of the request; otherwise it was shown the request without it. */
  readonly whole: boolean;
}

/** @throws Error where it does not start within 30 s */
async function startPrism(document: string, upstream: string, port: number): Promise<ChildProcess> {
  const args = ['proxy', document, upstream, '--errors=false', '--cors=false', '--port', `${port}`];
  const escaping = join(import.meta.dirname, 'escape-header.cjs');
  const child = spawn(process.execPath, ['-r', escaping, PRISM, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Prism does not start.')));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('listening')) resolve();
    });
  });
  clearTimeout(timer);
  return child;
}

/**
 * Starts `prism proxy` before a server that answers every exchange as the service has answered it. So Prism, which parses
 * bodies and writes them anew, changes nothing of what the tests send and get.
 *
 * @param document path of the OpenAPI document
 */
export async function startJudge(document: string) {
  const shown = new Map<string, Exchange>();
  const asked = new Set<string>();
  const service = await serve((incoming, outgoing) => {
    const id = String(incoming.headers[ID]);
    const exchange = shown.get(id);
    if (!exchange) return void outgoing.writeHead(501).end();
    asked.add(id);
    incoming.resume();
    outgoing.sendDate = false;
    outgoing.writeHead(exchange.status, without(exchange.answerHeaders, HOP)).end(exchange.answer);
  });
  const { child, port } = await onFreePort('127.0.0.1', (free) => startPrism(document, service.url, free));
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  const show = async (id: string, { method, path, headers }: Exchange, body: Buffer | undefined) => {
    const kept = without(headers, body ? HOP : OF_BODY);
    const length = ['content-length', `${body?.length ?? 0}`];
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      headers: ['host', `127.0.0.1:${port}`, ...kept, ...length, ID, id],
    });
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error(`Prism does not answer ${method} ${path}`)));
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await bytesOf(answer);
    return violationsIn(answer);
  };

  let last = 0;
  return {
    async judge(exchange: Exchange): Promise<Judgement> {
      const id = `${++last}`;
      shown.set(id, exchange);
      const body = exchange.body.length > 0 ? exchange.body : undefined;
      // Some bodies that Prism cannot read it refuses; to others it never answers.
      let found = await show(id, exchange, body).catch((error: Error) => {
        if (!body) throw error;
        asked.delete(id);
        return [];
      });
      const whole = asked.has(id);
      if (!whole) found = await show(id, exchange, undefined);
      if (!asked.has(id)) throw new Error(`Prism has not judged ${exchange.method} ${exchange.path}`);
      shown.delete(id);
      asked.delete(id);
      const of = (what: string) => found.filter((violation) => violation.startsWith(what));
      return { exchange, response: of('response'), request: of('request'), whole };
    },
    close() {
      agent.destroy();
      child.kill('SIGKILL');
      service.close();
    },
  };
}

/** A header that has grown too long is cut off; what is left of it stands for an answer's fault. */
function violationsIn({ headers }: IncomingMessage): string[] {
  const text = headers['sl-violations'];
  if (text === undefined) return [];
  if (!String(text).startsWith('[')) return [`response: ${String(text)}`];
  const violations = JSON.parse(String(text)) as { location: string[]; message: string }[];
  return violations.map(({ location, message }) => `${location.join('.')}: ${message}`);
}
