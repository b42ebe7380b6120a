import { Agent, request as open } from 'node:http';
import { pipeline } from 'node:stream';
import { ServiceError, serveAws } from '../../machine/serve-aws.ts';
import { say } from '../../machine/terminal.ts';
import type { Decide } from './confinement.ts';

/**
 * Starts a gate in front of AWS services on loopback. Calls need the access key of the instance. With `decide`, calls of
 * functions need a policy that allows them as well: functions name themselves in the user agent (`app/<id>`), operators
 * do not.
 */
export async function startGate(
  upstreams: Readonly<Record<string, string>>,
  accessKeyId: string,
  decide?: Decide,
) {
  for (const url of Object.values(upstreams))
    if (!url.startsWith('http:')) throw new Error(`--enforce-iam needs services at http URLs, not ${url}.`);
  const agent = new Agent({ keepAlive: true });
  const gate = await serveAws(accessKeyId, ({ request, response, target, body, input }) => {
    const upstream = Object.entries(upstreams).find(([prefix]) => target.startsWith(prefix))?.[1];
    if (!upstream) throw new ServiceError('UnknownOperationException', `There is no operation ${target}`);
    const { method, url, headers } = request;
    const sender = /\bapp\/(\S+)/.exec(String(headers['user-agent']))?.[1];
    const denied = sender === undefined ? undefined : decide?.(sender, target, input);
    if (denied) {
      say(denied.text);
      throw denied.error;
    }
    const forwarded = open(new URL(url ?? '/', upstream), { agent, method, headers }, (answer) => {
      // The client may have gone: a pipeline to a destroyed response throws.
      if (response.destroyed) return void answer.resume();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    // The SDK repeats a call whose connection is reset.
    forwarded.on('error', () => response.destroy()).end(body);
  });
  return {
    url: gate.url,
    async close() {
      await gate.close();
      agent.destroy();
    },
  };
}
