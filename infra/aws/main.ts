import { App } from 'aws-cdk-lib';
import { bundle } from '#infra/bundle';
import { type Configuration, warningsAbout } from '#infra/stages/configuration';
import { bundleOf } from './code.ts';
import { readContext, requirePlace } from './context.ts';
import { CoreAccountStack } from './stack.ts';

// CDK's own check of the template takes longer than the rest of synth; the tests run cfn-lint instead.
const app = new App({ builtinCloudFormationValidation: false });
const context = contextOrExit();
await bundle();
new CoreAccountStack(app, context, bundleOf(context));

/** Reports invalid context values by their names, without a stack trace: the deployer corrects them. */
function contextOrExit(): Configuration {
  try {
    const configuration = readContext(app.node);
    requirePlace(configuration);
    for (const warning of warningsAbout(configuration)) console.error(`Warning: ${warning}`);
    return configuration;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
