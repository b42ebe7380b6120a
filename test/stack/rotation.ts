import { randomUUID } from 'node:crypto';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { rotateSigningKey } from '#lib/session/jobs';
import { ROTATION_STEPS } from '#lib/session/rotation';
import { functionNameOf } from '../../infra/aws/function.ts';

/** Rotates the key of a stack as Secrets Manager does: the emulator copies the old value and invokes no function. */
export async function rotate(lambda: LambdaClient, stack: string, SecretId: string): Promise<string> {
  const FunctionName = functionNameOf(stack, rotateSigningKey.id);
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
