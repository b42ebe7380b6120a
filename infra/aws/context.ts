import type { Node } from 'constructs';
import { type Configuration, readConfiguration } from '#infra/stages/configuration';

/** Context keys of CDK itself: its feature flags, and keys that its command line sets. */
const OF_CDK = /^(aws:cdk:|aws-cdk:|@aws-cdk|cli-telemetry$)/;

/**
 * Reads the configuration of a stack from the context: `stage`, and options and settings by their names.
 *
 * @throws Error that lists every invalid value and every unknown name
 */
export function readContext(node: Node): Configuration {
  const context = Object.entries(node.getAllContext() as Record<string, unknown>);
  return readConfiguration(Object.fromEntries(context.filter(([key]) => !OF_CDK.test(key))));
}

/**
 * Checks the account and the region that CDK found for its credentials against those of the stage.
 *
 * @param found `CDK_DEFAULT_ACCOUNT` and `CDK_DEFAULT_REGION`; undefined without credentials, as for a synth in CI
 * @throws Error that names both
 */
export function requirePlace(
  { account, region }: Configuration,
  found: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const own = [found['CDK_DEFAULT_ACCOUNT'] ?? account, found['CDK_DEFAULT_REGION'] ?? region].join(' ');
  if (account && own !== `${account} ${region}`)
    throw new Error(`The stage belongs to ${account} ${region}, not to ${own}`);
}
