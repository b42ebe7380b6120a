import { readBody } from '../machine/read-body.ts';
import { serveGate } from '../machine/serve-gate.ts';
import { say } from '../machine/terminal.ts';
import type { Input } from './access.ts';
import type { Decide } from './confinement.ts';

/** More than any call to DynamoDB may have. */
const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** Where the services are, by how their targets begin. */
export interface Upstreams {
  readonly DynamoDB: string;
  readonly AWSEvents: string;
  readonly secretsmanager: string;
}

/**
 * Stands before services of AWS, and lets a function do what its policies allow. Functions say who they are in the
 * user agent (`app/<id>`); who says nothing, as operators do, is let pass.
 *
 * @param accessKeyId of those whom it answers
 * @throws Error where a service is not reached over http
 */
export async function startIamGate(upstreams: Upstreams, decide: Decide, accessKeyId: string) {
  for (const url of Object.values(upstreams))
    if (!url.startsWith('http:'))
      throw new Error(`--enforce-iam stands before services that are reached over http, not ${url}.`);
  return serveGate(accessKeyId, async ({ request, response, forward, refuse }) => {
    const target = String(request.headers['x-amz-target'] ?? '');
    const service = (Object.keys(upstreams) as (keyof Upstreams)[]).find((name) => target.startsWith(name));
    const sender = /\bapp\/(\S+)/.exec(String(request.headers['user-agent']))?.[1];
    const body = await readBody(request, MAX_BODY_BYTES).catch(() => undefined);
    const input = body && parse(body);
    if (!service || !body || !input) {
      response.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const refused = sender === undefined ? undefined : decide(sender, target, input);
    if (!refused) {
      forward(upstreams[service], body);
      return;
    }
    say(refused.text);
    refuse(refused.error);
  });
}

function parse(body: Buffer): Input | undefined {
  try {
    return JSON.parse(body.toString()) as Input;
  } catch {
    return undefined;
  }
}
