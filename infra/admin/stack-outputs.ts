import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { Refusal } from './refusal.ts';

/**
 * The outputs of a deployed stack.
 *
 * @param region its region; by default that of the environment
 * @throws Refusal `stack_not_found`, `no_region`
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
      throw new Refusal('no_region', 'Name the region of the stack with --region or AWS_REGION');
    if (name !== 'ValidationError' || !message.includes('does not exist')) throw error;
    throw new Refusal(
      'stack_not_found',
      `There is no stack ${StackName} in ${await client.config.region()}: --region names another region`,
    );
  }
}
