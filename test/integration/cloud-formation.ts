import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../infra/local/machine/listen.ts';

/** CloudFormation with one stack `s`, which has these outputs at the time of the call. */
export const openCloudFormation = (outputs: Readonly<Record<string, string>>) =>
  listen(
    createServer(async (request, response) => {
      const name = new URLSearchParams(await text(request)).get('StackName');
      response.setHeader('content-type', 'text/xml');
      if (name === 's') response.end(describeStacks(Object.entries(outputs)));
      else response.writeHead(400).end(noStack(name));
    }),
  );

const noStack = (name: string | null) =>
  `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
    <Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

function describeStacks(outputs: readonly [string, string][]): string {
  const members = outputs.map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<member><StackName>s</StackName><Outputs>${members.join('')}</Outputs></member>`;
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
    <Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}
