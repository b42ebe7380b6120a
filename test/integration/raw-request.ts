import { once } from 'node:events';
import { request as http, type IncomingMessage } from 'node:http';
import { request as https } from 'node:https';
import { json } from 'node:stream/consumers';
import { baseUrl, type Envelope, requests } from './service.ts';

const { protocol } = new URL(baseUrl);

export interface Sent {
  readonly method?: string;
  readonly path: string;
  /** A list sends the header once for each of its values. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** Sends a request with these headers and no others, which `fetch` does not: it repeats none, and adds its own. */
export async function send({ method = 'GET', path, headers, json: body }: Sent) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const type =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` };
  const request = (protocol === 'https:' ? https : http)(baseUrl + path, {
    method,
    headers: { ...type, ...headers },
  });
  request.end(text);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  requests.set(String(response.headers['x-request-id']), baseUrl);
  const isJson = response.headers['content-type']?.includes('json');
  const answer = isJson
    ? ((await json(response)) as Envelope & { username?: string })
    : void response.resume();
  return { status: response.statusCode as number, body: answer, code: answer?.data?.['code'] };
}
