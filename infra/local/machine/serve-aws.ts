import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, readBody } from './listen.ts';

/** No call to DynamoDB is larger. */
const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** An error that a service answers; the SDK throws it by its name. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

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
export type Operations = Readonly<Record<string, (input: Input) => object | Promise<object>>>;
export type Service = Awaited<ReturnType<typeof serveAws>>;

/** Serves operations by AWS JSON 1.1. @param prefix of the target, as in `AWSEvents.PutEvents` */
export const serveAwsJson = (prefix: string, operations: Operations, accessKeyId: string) =>
  serveAws(accessKeyId, async ({ target, input, response }) => {
    const [service, name = ''] = target.split('.');
    const operation = service === prefix && Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation) throw new ServiceError('UnknownOperationException', `There is no operation ${target}`);
    const output = JSON.stringify(await operation(input));
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() })
      .end(output);
  });

/**
 * Serves calls on loopback that present the access key.
 *
 * @param answer answers a call, or throws a ServiceError
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
export function serveAws(accessKeyId: string, answer: (call: AwsCall) => unknown) {
  const server = createServer(async (request, response) => {
    try {
      refuse(request.headers, accessKeyId);
      const body = await readBody(request, MAX_BODY_BYTES).catch(() => undefined);
      if (!body) throw unreadable();
      const target = String(request.headers['x-amz-target']);
      await answer({ request, response, target, body, input: parse(body) });
    } catch (error) {
      const { name, message, status } =
        error instanceof ServiceError ? error : new ServiceError('InternalFailure', String(error), 500);
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
        .end(JSON.stringify({ __type: name, message }));
    }
  });
  return listen(server);
}

/** Excludes names that a web page has pointed at loopback (DNS rebinding). */
const LOOPBACK = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

/**
 * Refuses calls without the access key, which is secret here: every program and every web page on this machine can reach
 * loopback. Signatures are not verified.
 */
function refuse({ authorization, host, origin }: IncomingHttpHeaders, accessKeyId: string): void {
  if (origin !== undefined || !LOOPBACK.test(host ?? ''))
    throw new ServiceError('AccessDeniedException', 'Web pages are not answered.', 403);
  const [, presented] = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\//.exec(authorization ?? '') ?? [];
  if (presented === undefined)
    throw new ServiceError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  if (presented !== accessKeyId)
    throw new ServiceError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
}

function parse(body: Buffer): Input {
  try {
    return JSON.parse(body.toString() || '{}') as Input;
  } catch {
    throw unreadable();
  }
}

const unreadable = () => new ServiceError('SerializationException', 'The body is not JSON, or too large');
