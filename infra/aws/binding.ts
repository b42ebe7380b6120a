import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Need } from '#lib/contract/needs';

/** Allowed actions on one resource. */
export interface Grant {
  readonly actions: readonly string[];
  /** An ARN without wildcards. */
  readonly resource: string;
  readonly conditions?: Readonly<Record<string, unknown>>;
}

export const statementOf = ({ actions, resource, conditions }: Grant) =>
  new PolicyStatement({ actions: [...actions], resources: [resource], conditions });

/** A resource that functions use: the value of its environment variable, and the grants for needs. */
export interface Binding {
  readonly value: string;
  readonly meets: (need: Need) => boolean;
  /**
   * @param needs needs of one function that this resource meets
   * @param isMerged fewer statements, with the attributes of all writes of a kind of item together
   */
  readonly grants: (needs: readonly Need[], isMerged?: boolean) => readonly Grant[];
}

/**
 * The use of a KMS key through one service only, on behalf of its caller.
 *
 * @param key undefined for a key of AWS, which needs no grant
 * @param service as in `dynamodb.<region>.amazonaws.com`; other partitions may have another domain
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.howitworks.html
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
 */
export const useOfKey = (key: IKey | undefined, service: string, actions: readonly string[]): Grant[] =>
  (key ? [key.keyArn] : []).map((resource) => ({
    actions: actions.map((action) => `kms:${action}`),
    resource,
    conditions: { StringLike: { 'kms:ViaService': `${service}.${Aws.REGION}.*` } },
  }));
