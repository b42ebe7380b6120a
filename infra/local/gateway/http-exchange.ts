import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireResponse } from './response.ts';

/** Bytes of the request line and of all header lines, as sent. */
export function headBytes({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}\r\n`.length;
  const separators = (rawHeaders.length / 2) * ': \r\n'.length;
  return rawHeaders.reduce((total, text) => total + text.length, requestLine + separators);
}

/** Sends a response. A body that was not read to its end also ends the connection. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: WireResponse,
) {
  response.writeHead(status, {
    ...headers,
    ...(body.length > 0 || status === 200 ? { 'content-length': body.length } : {}),
    ...(hasBody(request) && !request.complete ? { connection: 'close' } : {}),
  });
  response.end(body);
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
