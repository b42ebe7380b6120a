import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { refusal } from '../machine/gate.ts';
import { listen } from '../machine/listen.ts';
import { readBody } from '../machine/read-body.ts';
import { ServiceError } from '../machine/service-error.ts';

export interface Service {
  readonly url: string;
  close(): Promise<void>;
}

export type Input = Readonly<Record<string, unknown>>;
export type Operations = Readonly<Record<string, (input: Input) => object | Promise<object>>>;

const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * A service of AWS on loopback that speaks the protocol AWS JSON 1.1: the operation stands in the header
 * `X-Amz-Target`, its input and output are JSON.
 *
 * @param prefix of the target, as in `AWSEvents.PutEvents`
 * @param accessKeyId of those whom it answers
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
export async function serveAwsJson(
  prefix: string,
  operations: Operations,
  accessKeyId: string,
): Promise<Service> {
  const answer = async (target: string | undefined, body: Buffer | undefined) => {
    const [service, name = ''] = target?.split('.') ?? [];
    const operation = service === prefix && Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation)
      throw new ServiceError('UnknownOperationException', `There is no operation ${target} here`);
    return operation(parse(body));
  };

  const server = createServer(async (request, response) => {
    const send = (status: number, output: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() })
        .end(JSON.stringify(output));
    try {
      const body = await readBody(request, MAX_BODY_BYTES);
      const refused = refusal(request.headers, accessKeyId);
      if (refused) throw refused;
      send(200, await answer(request.headers['x-amz-target']?.toString(), body));
    } catch (error) {
      const { status, body } =
        error instanceof ServiceError ? error : new ServiceError('InternalFailure', String(error), 500);
      send(status, body);
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
