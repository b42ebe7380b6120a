import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type Binding, useOfKey } from './binding.ts';

const READ = ['secretsmanager:GetSecretValue'];
/** Operators copy the key that was kept with a table. */
const WRITE = ['secretsmanager:PutSecretValue'];

/**
 * The key of the hashes by which erased usernames are found. The table has the hashes only, so that nobody can try names with a
 * copy of it. It changes only with the table, and outlives the stack as the table does.
 */
export class ErasureKey extends Construct {
  readonly secret: Secret;
  readonly binding: Binding;

  /** @param encryptionKey KMS key; if undefined, the key of AWS for Secrets Manager */
  constructor(scope: Construct, id: string, encryptionKey: IKey | undefined) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Key of the hashes of erased usernames',
      // 64 letters and digits: 381 random bits.
      generateSecretString: { excludePunctuation: true, passwordLength: 64 },
      encryptionKey,
      // One that a failed deployment created is deleted.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const { secretArn } = this.secret;
    this.binding = {
      value: secretArn,
      meets: (need) => need.startsWith('erasure-key:'),
      grants(needs) {
        const writes = needs.includes('erasure-key:write');
        const actions = [...READ, ...(writes ? WRITE : [])];
        const ofKey = ['Decrypt', ...(writes ? ['GenerateDataKey'] : [])];
        return [{ actions, resource: secretArn }, ...useOfKey(encryptionKey, 'secretsmanager', ofKey)];
      },
    };
  }
}
