import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../infra/local/machine/listen.ts';

/** Role of every operator. */
export const OPERATOR_ARN = 'arn:aws:sts::123456789012:assumed-role/Admin/alice@example.com';

/**
 * CloudFormation with one stack `s`, which has these outputs at the time of the call, and STS.
 *
 * @param isDenied decides whether a call is refused, before it is answered
 */
export const openCloudFormation = (
  outputs: Readonly<Record<string, string>>,
  isDenied: (operation: string) => boolean | Promise<boolean> = () => false,
) =>
  listen(
    createServer(async (request, response) => {
      const parameters = new URLSearchParams(await text(request));
      const name = parameters.get('StackName');
      response.setHeader('content-type', 'text/xml');
      if (await isDenied(String(parameters.get('Action')))) response.writeHead(403).end(DENIED);
      else if (parameters.get('Action') === 'GetCallerIdentity') response.end(CALLER_IDENTITY);
      else if (name === 's') response.end(describeStacks(Object.entries(outputs)));
      else response.writeHead(400).end(noStack(name));
    }),
  );

const CALLER_IDENTITY = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
    <GetCallerIdentityResult><Arn>${OPERATOR_ARN}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;

const DENIED = `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>You may not</Message></Error>
  </ErrorResponse>`;

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
