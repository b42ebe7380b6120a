import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as open } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../infra/local/machine/listen.ts';

/** A call of AWS as it went over the wire. */
export interface Call {
  /** The function or command that sent it: the application ID of its SDK. Undefined for the CDK. */
  readonly sender: string | undefined;
  /** As in the credential scope of its signature, such as `dynamodb`. */
  readonly service: string;
  readonly operation: string;
  /** Of JSON protocols. */
  readonly input: unknown;
  readonly status: number;
  /** The error code of a refusal. */
  readonly code: string | undefined;
}

const JSON_TYPE = /^application\/(x-amz-)?json/;

/**
 * A proxy before the emulator that records each call. It tells the emulator that it has ended TLS, which some policies
 * require.
 */
export async function openRecorder(target: () => URL) {
  const calls: Call[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { hostname, port } = target();
    const { method, url: path } = request;
    const headers = { ...request.headers, 'x-forwarded-proto': 'https' };
    const forwarded = open({ hostname, port, method, path, headers, agent });
    forwarded.end(body);
    try {
      const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
      const content = await buffer(answer);
      calls.push(callOf(request, body, answer.statusCode as number, content));
      response.writeHead(answer.statusCode as number, answer.headers).end(content);
    } catch {
      response.destroy();
    }
  });
  const { url, close } = await listen(server);
  return {
    url,
    calls,
    async close() {
      agent.destroy();
      await close();
    },
  };
}

function callOf(
  { headers, method, url = '' }: IncomingMessage,
  body: Buffer,
  status: number,
  answer: Buffer,
): Call {
  const type = headers['content-type'] ?? '';
  const input = JSON_TYPE.test(type) && body.length > 0 ? JSON.parse(body.toString()) : undefined;
  const form = type.includes('form-urlencoded') ? new URLSearchParams(body.toString()) : undefined;
  const target = `${headers['x-amz-target'] ?? ''}`.split('.').at(-1);
  return {
    sender: /\bapp\/(\S+)/.exec(`${headers['user-agent']}`)?.[1],
    service: /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
    operation: target || form?.get('Action') || `${method} ${url.replace(/\?.*/, '')}`,
    input,
    status,
    code:
      status < 400
        ? undefined
        : /"__type":\s*"(?:[^"]*#)?(\w+)"|<Code>(\w+)</.exec(answer.toString())?.slice(1).find(Boolean),
  };
}
