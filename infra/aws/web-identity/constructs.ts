import { Token } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { TERMS } from './terms.ts';

/** Identity of the function's role: nothing is stored. */
export interface RoleIdentity {
  /** Trust of a machine account that accepts the role, as `<trust>@<machine>`. */
  readonly trust: string;
  /** Issuer of the instance (`Settings:Issuer`), for which AWS issues the tokens; by default the origin of the URL. */
  readonly audience?: string;
  readonly token?: never;
}

/** A stored token, for AWS accounts that permit no tokens of their roles. */
export interface StoredToken {
  /** Secret whose text is an API token. */
  readonly token: ISecret;
  readonly trust?: never;
  readonly audience?: never;
}

/** Credential of a function at an instance. */
export type FunctionCredential = RoleIdentity | StoredToken;

/**
 * Gives a function its credential at an instance: the variables that `credentialOfFunction` reads, and the grant for them.
 *
 * @param url base URL of the instance
 * @throws Error unless the URL is an https URL, and without exactly one valid credential
 */
export function giveCredential(
  lambda: LambdaFunction,
  url: string,
  { trust, token, ...given }: FunctionCredential,
): void {
  if (!Token.isUnresolved(url) && !url.startsWith('https://'))
    throw new Error('The URL of the instance must be an https URL, since it receives credentials');
  if ((trust === undefined) === (token === undefined))
    throw new Error('Set either trust, the identity of the role, or token, a stored API token');
  lambda.addEnvironment('CORE_ACCOUNT_URL', url);
  if (token) {
    lambda.addEnvironment('CORE_ACCOUNT_SECRET', token.secretArn);
    token.grantRead(lambda);
    return;
  }
  if (!Token.isUnresolved(trust) && !/^[^@]+@./.test(trust))
    throw new Error(`The trust must be <trust>@<machine>, such as "aws@orders", and is "${trust}"`);
  const audience = given.audience ?? (Token.isUnresolved(url) ? url : new URL(url).origin);
  lambda.addEnvironment('CORE_ACCOUNT_TRUST', trust).addEnvironment('CORE_ACCOUNT_AUDIENCE', audience);
  lambda.addToRolePolicy(
    new PolicyStatement({
      actions: ['sts:GetWebIdentityToken'],
      // The action has no resources.
      resources: ['*'],
      conditions: {
        'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': [audience] },
        // Otherwise ForAllValues would permit a request without an audience.
        Null: { 'sts:IdentityTokenAudience': 'false' },
        StringEquals: { 'sts:SigningAlgorithm': TERMS.SigningAlgorithm },
        NumericLessThanEquals: { 'sts:DurationSeconds': TERMS.DurationSeconds },
      },
    }),
  );
}
