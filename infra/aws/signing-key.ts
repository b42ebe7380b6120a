import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type Binding, useOfKey } from './binding.ts';
import type { CoreFunction } from './function.ts';

const ROTATION_DAYS = 90;

const READ = ['secretsmanager:GetSecretValue'];
const ROTATE = [
  ...READ,
  'secretsmanager:DescribeSecret',
  'secretsmanager:PutSecretValue',
  'secretsmanager:UpdateSecretVersionStage',
];

export interface SigningKeyProps {
  /** KMS key; if undefined, the key of AWS for Secrets Manager. */
  readonly encryptionKey: IKey | undefined;
  /** Prefix of the needs that the secret meets. */
  readonly needs: 'signing-key' | 'resource-key';
  readonly description: string;
}

/**
 * The private keys that sign session tokens, or tokens for other services. The stack creates a placeholder and starts the first
 * rotation; requests for a token are answered 503 until that rotation has stored a key.
 */
export class SigningKey extends Construct {
  readonly secret: Secret;
  readonly binding: Binding;

  constructor(scope: Construct, id: string, { encryptionKey, needs: prefix, description }: SigningKeyProps) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description,
      // Letters and digits only, so that the placeholder is not valid JSON.
      generateSecretString: { excludePunctuation: true },
      encryptionKey,
      // A key is useless without its table; with a retained table, the next rotation creates another.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { secretArn } = this.secret;
    this.binding = {
      value: secretArn,
      meets: (need) => need.startsWith(`${prefix}:`),
      grants(needs) {
        const rotates = needs.includes(`${prefix}:rotate`);
        const ofKey = rotates ? ['Decrypt', 'GenerateDataKey'] : ['Decrypt'];
        return [
          { actions: rotates ? ROTATE : READ, resource: secretArn },
          ...useOfKey(encryptionKey, 'secretsmanager', ofKey),
        ];
      },
    };
  }

  /**
   * Rotates the key when the schedule is deployed, and every 90 days after that. The schedule is the L1 construct,
   * because `addRotationSchedule` also grants GetRandomPassword on `*`.
   */
  rotateWith({ lambda }: CoreFunction): void {
    const permission = 'SigningKeyRotation';
    lambda.addPermission(permission, {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      sourceArn: this.secret.secretArn,
      sourceAccount: Stack.of(this).account,
    });
    const schedule = new CfnRotationSchedule(this, 'Rotation', {
      secretId: this.secret.secretArn,
      rotationLambdaArn: lambda.functionArn,
      rotationRules: { scheduleExpression: `rate(${ROTATION_DAYS} days)` },
      rotateImmediatelyOnUpdate: true,
    });
    // The first rotation starts at once, so it needs the permission first. The function itself depends on its grants.
    schedule.node.addDependency(lambda.node.findChild(permission));
  }
}
