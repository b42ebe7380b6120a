import { type Service, ServiceError, serveAws } from '../../machine/serve-aws.ts';
import type { Lambda } from './lambda.ts';

const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/**
 * Starts the operation Invoke of Lambda on loopback. The name of a function is its ID.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const startInvocations = (lambda: Pick<Lambda, 'invoke'>, accessKeyId: string): Promise<Service> =>
  serveAws(accessKeyId, async ({ request, response, input }) => {
    const [, id] = PATH.exec(request.url ?? '') ?? [];
    if (!id) throw new ServiceError('UnknownOperationException', `There is no operation ${request.url}`, 404);
    const headers = { 'content-type': 'application/json' };
    try {
      const result = JSON.stringify(await lambda.invoke(decodeURIComponent(id), input));
      response.writeHead(200, headers).end(result);
    } catch (error) {
      const { name: errorType, message: errorMessage } = error as Error;
      const failed = { ...headers, 'x-amz-function-error': 'Unhandled' };
      response.writeHead(200, failed).end(JSON.stringify({ errorType, errorMessage }));
    }
  });
