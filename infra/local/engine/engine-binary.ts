import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Finds the embedded DynamoDB engine: the npm package of this platform, else `dynoxide` on the PATH.
 *
 * @throws Error that describes how to install one
 */
export function findEngineBinary(): string {
  const packaged = `@dynoxide/${process.platform}-${process.arch}`;
  const path = join(import.meta.dirname, '../../../node_modules', packaged, 'dynoxide');
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'dynoxide'));
  const found = [path, ...onPath].find(isExecutable);
  if (found) return found;
  if (existsSync(path))
    throw new Error(
      `The DynamoDB engine ${path} may not be executed.\nAllow it: chmod +x ${path}; or install the project where programs may be executed.`,
    );
  throw new Error(`This machine has no DynamoDB engine: neither the npm package ${packaged}, nor dynoxide on the PATH.
Install the package, where there is one: npm install --no-save ${packaged}
Or start DynamoDB Local, and name it in AWS_ENDPOINT_URL_DYNAMODB:
  docker run --rm -p 8000:8000 amazon/dynamodb-local
  AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000 npm start`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
