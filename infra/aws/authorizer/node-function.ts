import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';

const ROOT = join(import.meta.dirname, '../../..');

/** What the functions of authorizers have in common, in the stack of another team. @param entry source, in this folder */
export const nodeFunction = (entry: string) => ({
  entry: join(import.meta.dirname, entry),
  projectRoot: ROOT,
  depsLockFilePath: join(ROOT, 'package-lock.json'),
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  memorySize: 512,
  timeout: Duration.seconds(10),
});
