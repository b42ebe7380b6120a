import { createHash } from 'node:crypto';
import { GetRolePolicyCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { isAllowed, type Statement } from '#infra/policy';
import { functions } from '#lib/routes';
import { functionNameOf } from '../../infra/aws/function.ts';
import type { Input } from '../../infra/local/machine/serve-aws.ts';
import { arnsIn, iamRequestsOf } from '../../infra/local/services/iam/requests.ts';
import { grantedBy, neededBy } from '../integration/grant-pairs.ts';
import { needsOf } from '../wire/dynamodb-proxy.ts';
import { ACCOUNT, REGION } from './emulator.ts';
import type { Call } from './recorder.ts';

/** ARNs as in AWS: those of secrets in full. */
const ARNS = { ...arnsIn(REGION, ACCOUNT), secret: (arn: string) => arn };

/** A function of a stack, with what CloudFormation has granted to it, and what it has called. */
export interface Caller {
  readonly id: string;
  readonly statements: readonly Statement[];
  readonly calls: readonly Call[];
}

const lambda = new LambdaClient();
const iam = new IAMClient();

/** Every function of a stack, with its calls among others. */
export const callersOf = (stack: string, calls: readonly Call[]): Promise<Caller[]> => {
  const bySigner = Map.groupBy(calls, ({ signer }) => signer);
  return Promise.all(
    functions.map(async ({ id }) => {
      const FunctionName = functionNameOf(stack, id);
      const { FunctionArn, Role } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
      const statements = await statementsOf(Role?.split('/').at(-1));
      return { id, statements, calls: bySigner.get(signerOf(`${FunctionArn}:${Role}`)) ?? [] };
    }),
  );
};

/** The access key that the emulator gives to a function with a role. */
const signerOf = (functionAndRole: string) =>
  `ASIA${createHash('sha256').update(functionAndRole).digest('hex').slice(0, 16).toUpperCase()}`;

interface Raw extends Pick<Statement, 'Effect' | 'Condition'> {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

/** The policy of the stack, without that for the emulator. */
async function statementsOf(RoleName: string | undefined): Promise<Statement[]> {
  const { PolicyDocument = '' } = await iam.send(
    new GetRolePolicyCommand({ RoleName, PolicyName: 'Grants' }),
  );
  const { Statement } = JSON.parse(decodeURIComponent(PolicyDocument)) as { Statement: Raw[] };
  return Statement.map(({ Action, Resource, ...others }) => ({
    ...others,
    Action: [Action].flat(),
    Resource: [Resource].flat(),
  }));
}

/** Calls that IAM would refuse by what is documented, under one of the two readings of transactions or both. */
export const deniedOf = ({ id, statements, calls }: Caller): string[] => {
  const denied = calls.flatMap(({ target, input }) =>
    iamRequestsOf(target, input as Input, ARNS).filter((request) => !isAllowed(statements, request)),
  );
  return [...new Set(denied.map((request) => `${id} ${JSON.stringify(request)}`))];
};

/** The number of grants of a function, of those that a call has needed, and the others. */
export function evidenceOf({ statements, calls }: Caller) {
  const granted = new Set(grantedBy(statements));
  const needed = new Set(
    calls.flatMap(({ target, operation, input }) =>
      neededBy({ operation, input: input as Input, needs: needsOf(target, input as Input) }),
    ),
  );
  const unseen = [...granted].filter((grant) => !needed.has(grant)).sort();
  return { granted: granted.size, seen: granted.size - unseen.length, unseen: withAttributes(unseen) };
}

/** Grants, those of single attributes together: `UpdateItem:ACCOUNT (roles, stamp)`. */
const withAttributes = (grants: readonly string[]) =>
  [...Map.groupBy(grants, (grant) => grant.split(' ')[0] as string)].map(([write, all]) => {
    const attributes = all.flatMap((grant) => grant.split(' ').slice(1));
    return attributes.length > 0 ? `${write} (${attributes.join(', ')})` : write;
  });
