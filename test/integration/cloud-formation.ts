import { createServer } from 'node:http';
import { listen } from '../../infra/local/machine/listen.ts';

/** CloudFormation, which answers for a stack that has these outputs, whatever they are by then. */
export const openCloudFormation = (outputs: Readonly<Record<string, string>>) =>
  listen(
    createServer((_, response) =>
      response.setHeader('content-type', 'text/xml').end(describeStacks(Object.entries(outputs))),
    ),
  );

function describeStacks(outputs: readonly [string, string][]): string {
  const members = outputs.map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<member><StackName>s</StackName><Outputs>${members.join('')}</Outputs></member>`;
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
    <Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}
