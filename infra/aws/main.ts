import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundle, bundleFolder } from '#infra/bundle';
import { type Instance, instanceFromContext } from './instance.ts';
import { CoreAccountStack } from './stack.ts';

const app = new App();
const instance = instanceOrExit();
await bundle();
new CoreAccountStack(app, instance, (id) => Code.fromAsset(bundleFolder(id)));

/** A wrong context value is the operator's to mend: it is told by its name, without a stack trace. */
function instanceOrExit(): Instance {
  try {
    return instanceFromContext(app.node);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
