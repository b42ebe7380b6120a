import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type IamRequest, isAllowed, type Statement } from '#infra/policy';
import { ACCOUNT_ID, NAMES } from '../../machine/resource-names.ts';
import { type Input, ServiceError } from '../../machine/serve-aws.ts';
import { arnsIn, iamRequestsOf } from './requests.ts';

/** Statements by the id of the function, or by the group of operators. */
export type Policies = ReadonlyMap<string, readonly Statement[]>;

const PRINTER = join(import.meta.dirname, '../../../aws/policies.ts');

/** The policies that the stack grants, for local resources; another process builds them in a second of CPU time. */
export async function loadPolicies(region: string, table: string, of = 'functions'): Promise<Policies> {
  const { stdout } = await promisify(execFile)(process.execPath, [PRINTER, of], { maxBuffer: 2 ** 24 });
  const arns = arnsIn(region);
  const local: Readonly<Record<string, string>> = {
    '${AWS::DynamoDB::GlobalTable}': arns.table(table),
    '${AWS::Events::EventBus}': arns.bus(NAMES.eventBus),
    '${AWS::SecretsManager::Secret}': arns.secret(NAMES.signingKey),
    '${ResourceKey}': arns.secret(NAMES.resourceKey),
    '${ErasureKey}': arns.secret(NAMES.erasureKey),
  };
  const toLocal = (resource: string) => resource.replace(/\$\{[^}]*\}/, (name) => local[name] ?? name);
  const policies = Object.entries(JSON.parse(stdout) as Record<string, Statement[]>).map(
    ([id, statements]) =>
      [id, statements.map((one) => ({ ...one, Resource: one.Resource.map(toLocal) }))] as const,
  );
  return new Map(policies);
}

/** Decides a call of a function: undefined if it is allowed, otherwise the error, and the missing grant in one line. */
export type Decide = (
  sender: string,
  target: string,
  input: Input,
) => { readonly error: ServiceError; readonly text: string } | undefined;

/** Decides calls as AWS does: each action of a call is refused unless a policy allows it. */
export function confinement(policies: Policies, region: string): Decide {
  const arns = arnsIn(region);
  return (sender, target, input) => {
    const statements = policies.get(sender) ?? [];
    const denied = iamRequestsOf(target, input, arns).find((access) => !isAllowed(statements, access));
    if (!denied) return undefined;
    const { action, resource } = denied;
    const user = `arn:aws:sts::${ACCOUNT_ID}:assumed-role/${sender}/${sender}`;
    const message = `User: ${user} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
    return {
      error: new ServiceError('AccessDeniedException', message),
      text: ['denied', sender, action, ...missing(denied)].join('  '),
    };
  };
}

/** The kinds of item or the resource without a grant, with the index, the operation and the attributes of the call. */
function missing({ resource, context }: IamRequest): string[] {
  const keys = context['dynamodb:LeadingKeys'] ?? [];
  const kinds = [...new Set(keys.map((key) => key.replace(/#.*/s, '')))];
  const index = resource.split('/index/')[1];
  const enclosing = context['dynamodb:EnclosingOperation'];
  const attributes = new Set(context['dynamodb:Attributes']);
  return [
    kinds.join(', ') || (resource.split(/[/:]/).at(-1) as string),
    ...(index ? [`in ${index}`] : []),
    ...(enclosing ? [`in ${enclosing}`] : []),
    ...(attributes.size > 0 ? [`naming ${[...attributes].join(', ')}`] : []),
  ];
}
