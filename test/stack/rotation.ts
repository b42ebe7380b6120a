import { randomUUID } from 'node:crypto';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { rotateResourceKey } from '#lib/resource/jobs';
import { rotateSigningKey } from '#lib/session/jobs';
import { ROTATION_STEPS } from '#lib/session/rotation';
import { functionNameOf } from '../../infra/aws/function.ts';
import type { Outputs } from './cloud.ts';

/** Rotates the key of sessions as Secrets Manager does: the emulator copies the old value and invokes no function. */
export const rotate = (lambda: LambdaClient, stack: string, secretId: string): Promise<string> =>
  rotateWith(lambda, functionNameOf(stack, rotateSigningKey.id), secretId);

/** The same for the keys of tokens for other services. */
export const rotateResources = (lambda: LambdaClient, stack: string, outputs: Outputs): Promise<string> =>
  rotateWith(lambda, functionNameOf(stack, rotateResourceKey.id), outputs['ResourceKeySecretId'] as string);

/** The first rotations of a stack. */
export async function rotateBoth(lambda: LambdaClient, stack: string, outputs: Outputs): Promise<void> {
  await rotate(lambda, stack, outputs['SigningKeySecretId'] as string);
  await rotateResources(lambda, stack, outputs);
}

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
