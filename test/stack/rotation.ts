import { randomUUID } from 'node:crypto';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { rotateSigningKey } from '#lib/session/jobs';
import { ROTATION_STEPS } from '#lib/session/rotation';
import { functionNameOf } from '../../infra/aws/function.ts';

/** Rotates the key of a stack as Secrets Manager does: the emulator copies the old value and invokes no function. */
export const rotate = (lambda: LambdaClient, stack: string, secretId: string): Promise<string> =>
  rotateWith(lambda, functionNameOf(stack, rotateSigningKey.id), secretId);

/** The same with a function of another name. */
export async function rotateWith(
  lambda: LambdaClient,
  FunctionName: string,
  SecretId: string,
): Promise<string> {
  const ClientRequestToken = randomUUID();
  for (const Step of ROTATION_STEPS) {
    const Payload = JSON.stringify({ SecretId, ClientRequestToken, Step });
    const { FunctionError, Payload: answer } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload }),
    );
    if (FunctionError) throw new Error(`${Step} failed: ${answer?.transformToString()}`);
  }
  return ClientRequestToken;
}
