import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundle, bundleFolder } from '#infra/bundle';
import type { Configuration } from '#infra/stages/configuration';
import { readContext } from './context.ts';
import { CoreAccountStack } from './stack.ts';

// It takes longer than all else; the tests ask for it.
const app = new App({ builtinCloudFormationValidation: process.env['VALIDATE_TEMPLATE'] === 'true' });
const context = contextOrExit();
await bundle();
new CoreAccountStack(app, context, (id) => Code.fromAsset(bundleFolder(id)));

/** A wrong context value is the operator's to mend: it is told by its name, without a stack trace. */
function contextOrExit(): Configuration {
  try {
    return readContext(app.node);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
