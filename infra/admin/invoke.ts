import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { JOB_TIMEOUT_SECONDS } from '#lib/contract/contract';
import { CLIENT_LIMITS, namingErrors } from '#lib/network/aws';
import { Refusal } from './refusal.ts';

/** The answer comes after the work, which has the time of a job. */
const LIMITS = {
  ...CLIENT_LIMITS,
  requestHandler: { ...CLIENT_LIMITS.requestHandler, requestTimeout: JOB_TIMEOUT_SECONDS * 1000 + 5000 },
};

/**
 * Sends requests of commands to a function, and returns its answers.
 *
 * @param failure code, and subject of its text, of the refusal that follows an error of the function
 */
export function invoking<Request, Answer>(
  FunctionName: string,
  failure: readonly [code: string, who: string],
) {
  const lambda = namingErrors(new LambdaClient(LIMITS));
  return async (request: Request): Promise<Answer> => {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }),
    );
    const answer = JSON.parse(Payload?.transformToString() ?? 'null');
    if (FunctionError === undefined) return answer as Answer;
    const [code, who] = failure;
    throw new Refusal(code, `${who} failed: ${answer?.errorMessage}: see its log`);
  };
}
