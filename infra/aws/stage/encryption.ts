import { Aws } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Binding } from '../binding.ts';

/** What a service does with the key in the name of who calls it. */
const USE = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/**
 * A resource that is encrypted with a key: who is granted the resource may use the key, through its service only.
 *
 * @param key undefined for a key of AWS, which needs no grant
 * @param service as in `dynamodb.<region>.amazonaws.com`
 */
export function withKey(binding: Binding, key: IKey | undefined, service: string): Binding {
  if (key === undefined) return binding;
  const conditions = { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.amazonaws.com` } };
  const use = { actions: USE, resource: key.keyArn, conditions };
  return { ...binding, grants: (needs) => [...binding.grants(needs), use] };
}
