import { randomUUID } from 'node:crypto';
import { type Input, serveAws } from '../machine/serve-aws.ts';
import { ServiceError } from '../machine/service-error.ts';

export type { Input };
export type Operations = Readonly<Record<string, (input: Input) => object | Promise<object>>>;

/**
 * Serves operations of an AWS service on loopback, by the protocol AWS JSON 1.1.
 *
 * @param prefix of the target, as in `AWSEvents.PutEvents`
 */
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

export type Service = Awaited<ReturnType<typeof serveAwsJson>>;
