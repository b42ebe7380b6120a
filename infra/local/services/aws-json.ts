import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../machine/listen.ts';
import { readBody } from '../machine/read-body.ts';

export interface Service {
  readonly url: string;
  close(): Promise<void>;
}

/** An error that the service answers, by the name that the SDK raises it under. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export type Input = Readonly<Record<string, unknown>>;
export type Operations = Readonly<Record<string, (input: Input) => object | Promise<object>>>;

/**
 * Signatures are not verified. But a page in a browser can send neither one, nor hide its origin, nor come under
 * this name.
 */
const LOOPBACK = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * A service of AWS on loopback that speaks the protocol AWS JSON 1.1: the operation stands in the header
 * `X-Amz-Target`, its input and output are JSON.
 *
 * @param prefix of the target, as in `AWSEvents.PutEvents`
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
export async function serveAwsJson(prefix: string, operations: Operations): Promise<Service> {
  const answer = async (target: string | undefined, trusted: boolean, body: Buffer | undefined) => {
    if (!trusted)
      throw new ServiceError('MissingAuthenticationTokenException', 'Missing Authentication Token', 403);
    const [service, name = ''] = target?.split('.') ?? [];
    const operation = service === prefix && Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation)
      throw new ServiceError('UnknownOperationException', `There is no operation ${target} here`);
    return operation(parse(body));
  };

  const server = createServer(async (request, response) => {
    const { authorization, host, origin, 'x-amz-target': target } = request.headers;
    const send = (status: number, output: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() })
        .end(JSON.stringify(output));
    try {
      const body = await readBody(request, MAX_BODY_BYTES);
      const trusted = /^AWS4-/.test(authorization ?? '') && origin === undefined && LOOPBACK.test(host ?? '');
      send(200, await answer(target?.toString(), trusted, body));
    } catch (error) {
      const known = error instanceof ServiceError;
      const { name, message, status } = known
        ? error
        : new ServiceError('InternalFailure', String(error), 500);
      send(status, { __type: name, message });
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
