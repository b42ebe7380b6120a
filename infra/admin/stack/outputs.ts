import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** There is no stack of this name. */
export class StackNotFound extends Error {
  override name = 'stack_not_found';
}

/** Nobody has said in which region the stack is. */
export class NoRegion extends Error {
  override name = 'no_region';
}

/**
 * The outputs of a deployed stack.
 *
 * @param region where it is, if not where the environment says
 * @throws StackNotFound, NoRegion
 */
export async function readOutputs(
  StackName: string,
  region: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (region !== undefined) process.env['AWS_REGION'] = region;
  const client = new CloudFormationClient();
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    const { name, message } = error as Error;
    if (message === 'Region is missing')
      throw new NoRegion('Say in which region the stack is: with --region, or in AWS_REGION');
    if (name === 'ValidationError' && message.includes('does not exist'))
      throw new StackNotFound(
        `There is no stack ${StackName} in ${await client.config.region()}: --region names another region`,
      );
    throw error;
  }
}
