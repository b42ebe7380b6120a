import type { Node } from 'constructs';
import { type Configuration, readConfiguration, STAGES } from '#infra/stages/configuration';

/** What CDK itself keeps in the context: its feature flags, and what its command line tells the app. */
const OF_CDK = /^(aws:cdk:|aws-cdk:|@aws-cdk|cli-telemetry$)/;

/**
 * Reads the configuration of a stack from the context: from `stage`, and from options and settings by their names.
 *
 * @param folder of the files of stages
 * @throws Error that names every value that is invalid, and every name that means nothing
 */
export function readContext(node: Node, folder = STAGES): Configuration {
  const context = Object.entries(node.getAllContext() as Record<string, unknown>);
  return readConfiguration(Object.fromEntries(context.filter(([key]) => !OF_CDK.test(key))), folder);
}
