import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
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
  /** Such as `DynamoDB_20120810.GetItem`; empty for other protocols than JSON. */
  readonly target: string;
  /** The access key of its signature, which each function has of its own. */
  readonly signer: string | undefined;
  /** Of JSON protocols. */
  readonly input: unknown;
  readonly status: number;
  /** The error code of a refusal. */
  readonly code: string | undefined;
}

const JSON_TYPE = /^application\/(x-amz-)?json/;

/** The values of a file with one a line. */
export const readLines = <T>(file: string): T[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** The calls that a recorder has written to a file. */
export const readCalls = (file: string) => readLines<Call>(file);

/**
 * A proxy before the emulator that appends each call to a file. It tells the emulator that it has ended TLS, which some
 * policies require.
 */
export async function openRecorder(file: string) {
  const agent = new Agent({ keepAlive: true });
  let target = new URL('http://127.0.0.1');
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method, url: path } = request;
    const { hostname, port } = target;
    const headers = { ...request.headers, 'x-forwarded-proto': 'https' };
    const forwarded = open({ hostname, port, method, path, headers, agent });
    forwarded.end(body);
    try {
      const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
      const content = await buffer(answer);
      const status = answer.statusCode as number;
      appendFileSync(file, `${JSON.stringify(callOf(request, body, status, content))}\n`);
      response.writeHead(status, answer.headers).end(content);
    } catch {
      response.destroy();
    }
  });
  const { url, close } = await listen(server);
  return {
    url,
    forwardTo(address: string) {
      target = new URL(address);
    },
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
  const target = `${headers['x-amz-target'] ?? ''}`;
  const [, signer, service = ''] =
    /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)/.exec(headers.authorization ?? '') ?? [];
  return {
    sender: /\bapp\/(\S+)/.exec(`${headers['user-agent']}`)?.[1],
    signer,
    service,
    target,
    operation: target.split('.').at(-1) || form?.get('Action') || `${method} ${url.replace(/\?.*/, '')}`,
    input,
    status,
    code:
      status < 400
        ? undefined
        : /"__type":\s*"(?:[^"]*#)?(\w+)"|<Code>(\w+)</.exec(answer.toString())?.slice(1).find(Boolean),
  };
}
