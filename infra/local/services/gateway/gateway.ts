import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { routes } from '#lib/routes';
import { listen, readBody } from '../../machine/listen.ts';
import { type Lambda, PayloadTooLarge } from '../lambda/lambda.ts';
import { openCors } from './cors.ts';
import { toEvent } from './payload.ts';
import { FUNCTION_FAILED, gatewayResponse, NOT_FOUND, toResponse, type WireResponse } from './response.ts';
import { openRouter } from './router.ts';

/** Request line and headers. */
const MAX_HEAD_BYTES = 10_240;
const MAX_BODY_BYTES = 10 * 1024 * 1024;

const BAD_REQUEST = gatewayResponse(400, 'Bad Request');
const HEAD_TOO_LARGE = gatewayResponse(431, 'Request Header Fields Too Large');
const BODY_TOO_LARGE = gatewayResponse(413, 'Request Entity Too Large');

/**
 * Starts the HTTP API in front of the functions, on loopback, with the limits of the cloud.
 *
 * @param port 0 picks a free one
 * @param origins that browsers may call from
 * @returns `serve` begins to answer, until what it returns is closed; earlier requests wait for it
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export async function startGateway(port: number, origins: readonly string[]) {
  const { promise: lambda, resolve, reject } = Promise.withResolvers<Lambda>();
  lambda.catch(() => undefined);
  const respond = openResponder(lambda);
  const cors = openCors(origins);

  const server = createServer({ maxHeaderSize: 2 * MAX_HEAD_BYTES }, async (request, response) => {
    const { method = '', headers } = request;
    const requestId = randomUUID();
    const respondAndAllow = async () => {
      const answer = await respond(request, requestId).catch(() => FUNCTION_FAILED);
      return cors.apply({ ...answer, headers: { ...answer.headers, 'apigw-requestid': requestId } }, headers);
    };
    send(request, response, cors.preflight(method, headers) ?? (await respondAndAllow()));
  });
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { status, body } = error.code === 'HPE_HEADER_OVERFLOW' ? HEAD_TOO_LARGE : BAD_REQUEST;
    const head = `HTTP/1.1 ${status} \r\nconnection: close\r\ncontent-type: application/json\r\n`;
    if (socket.writable) socket.end(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  });
  const { url, close } = await listen(server, port);
  return {
    url,
    serve(functions: Lambda) {
      resolve(functions);
      return { close };
    },
    close() {
      reject(new Error('The instance is stopping'));
      return close();
    },
  };
}

function openResponder(ready: Promise<Lambda>) {
  const route = openRouter(routes);

  return async (request: IncomingMessage, requestId: string): Promise<WireResponse> => {
    const receivedAt = new Date();
    const { method = '', url: target = '', headersDistinct: headers, httpVersion, socket } = request;
    if (headBytes(request) > MAX_HEAD_BYTES) return HEAD_TOO_LARGE;
    const match = route(method, target);
    if (match === 'malformed') return BAD_REQUEST;
    if (!match) return NOT_FOUND;
    const body = await readBody(request, MAX_BODY_BYTES).catch(() => undefined);
    if (!body) return BODY_TOO_LARGE;

    const protocol = `HTTP/${httpVersion}`;
    const sourceIp = socket.remoteAddress ?? '';
    const event = toEvent(
      { method, target, protocol, headers, body, sourceIp, requestId, receivedAt },
      match,
    );
    const lambda = await ready;
    try {
      return toResponse(await lambda.invoke(match.route.contract.id, event, requestId));
    } catch (error) {
      return error instanceof PayloadTooLarge ? BODY_TOO_LARGE : FUNCTION_FAILED;
    }
  };
}

/** Bytes of the request line and of all header lines, as sent. */
function headBytes({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}\r\n`.length;
  const separators = (rawHeaders.length / 2) * ': \r\n'.length;
  return rawHeaders.reduce((total, text) => total + text.length, requestLine + separators);
}

/** Sends a response. After a body that was not read to its end, the connection closes. */
function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: WireResponse) {
  const { 'transfer-encoding': chunked, 'content-length': length = 0 } = request.headers;
  const hasBody = chunked !== undefined || Number(length) > 0;
  response.writeHead(status, {
    ...headers,
    ...(body.length > 0 || status === 200 ? { 'content-length': body.length } : {}),
    ...(hasBody && !request.complete ? { connection: 'close' } : {}),
  });
  response.end(body);
}
