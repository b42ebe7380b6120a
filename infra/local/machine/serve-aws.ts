import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';
import { readBody } from './read-body.ts';
import { refusal } from './refusal.ts';
import { ServiceError } from './service-error.ts';

/** No call to DynamoDB is larger. */
const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** A call to an AWS service by one of the JSON protocols. */
export interface AwsCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Such as `AWSEvents.PutEvents`. */
  readonly target: string;
  readonly body: Buffer;
  readonly input: Input;
}

export type Input = Readonly<Record<string, unknown>>;

/**
 * Serves calls on loopback that present the access key.
 *
 * @param answer answers a call, or throws a ServiceError
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
export function serveAws(accessKeyId: string, answer: (call: AwsCall) => unknown) {
  const server = createServer(async (request, response) => {
    try {
      const refused = refusal(request.headers, accessKeyId);
      if (refused) throw refused;
      const body = await readBody(request, MAX_BODY_BYTES).catch(() => undefined);
      const target = String(request.headers['x-amz-target']);
      await answer({ request, response, target, body: body ?? Buffer.of(), input: parse(body) });
    } catch (error) {
      const { status, body } =
        error instanceof ServiceError ? error : new ServiceError('InternalFailure', String(error), 500);
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
        .end(JSON.stringify(body));
    }
  });
  return listen(server);
}

function parse(body: Buffer | undefined): Input {
  try {
    return JSON.parse(body?.toString() || '{}') as Input;
  } catch {
    throw new ServiceError('SerializationException', 'The body is not JSON, or too large');
  }
}
