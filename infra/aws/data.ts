import { createHash } from 'node:crypto';
import { Aws, Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { AttributeType, Billing, type CfnGlobalTable, type ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Options } from '#infra/stages/options';
import { TABLE } from '#lib/table/shape';
import type { Binding } from './binding.ts';
import { ErasureKey } from './erasure-key.ts';
import { SigningKey } from './signing-key.ts';
import { tableBinding } from './table-binding.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

export interface DataProps extends Pick<Options, 'tableName' | 'backupDays' | 'backupCopyVaultArn'> {
  /** Encrypts the table, its backups, the signing key and the erasure key; if undefined, keys of AWS do. */
  readonly key: IKey | undefined;
}

/** The table, which outlives the stack, as does the key of erased names, and the keys that sign tokens. */
export class Data extends Construct {
  readonly table: ITable;
  readonly tableBinding: Binding;
  readonly signingKey: SigningKey;
  readonly resourceKey: SigningKey;
  readonly erasureKey: ErasureKey;

  constructor(scope: Construct, id: string, props: DataProps) {
    super(scope, id);
    const { tableName, key } = props;
    this.signingKey = new SigningKey(this, 'SigningKey', {
      encryptionKey: key,
      needs: 'signing-key',
      description: 'Private key that signs session tokens (JWK)',
    });
    this.resourceKey = new SigningKey(this, 'ResourceKey', {
      encryptionKey: key,
      needs: 'resource-key',
      description: 'Private keys that sign tokens for other services (JWK)',
    });
    this.erasureKey = new ErasureKey(this, 'ErasureKey', key);
    // The shape, protection and recovery of an existing table stay as they are.
    this.table = tableName ? TableV2.fromTableName(this, 'AdoptedTable', tableName) : this.ownTable(key);
    if (props.backupDays > 0) this.backUp(props);
    this.tableBinding = tableBinding(this.table, key);
  }

  private ownTable(key: IKey | undefined): ITable {
    const table = new TableV2(this, 'Table', {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      timeToLiveAttribute: TABLE.timeToLive,
      globalSecondaryIndexes: TABLE.indexes.map(({ name, partitionKey, sortKey }) => ({
        indexName: name,
        partitionKey: text(partitionKey),
        sortKey: text(sortKey),
      })),
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    if (key) {
      // CDK's own `encryption` requires the region, which this template does not fix.
      const resource = table.node.defaultChild as CfnGlobalTable;
      resource.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
      resource.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: key.keyArn });
    }
    return table;
  }

  /** Daily backups, which survive the stack, and in a vault of another account also that account. */
  private backUp({ key, backupDays, backupCopyVaultArn }: DataProps) {
    const deleteAfter = Duration.days(backupDays);
    const copies = backupCopyVaultArn
      ? [BackupVault.fromBackupVaultArn(this, 'CopyVault', backupCopyVaultArn)]
      : [];
    const { stackName } = Stack.of(this);
    const plan = new BackupPlan(this, 'Backup', {
      // CDK would take the ID of the construct, and two instances of an account would collide.
      backupPlanName: stackName,
      backupVault: new BackupVault(this, 'Vault', {
        backupVaultName: vaultName(stackName, key),
        encryptionKey: key,
        // A vault that a failed deployment created is deleted, so that the next deployment can use its name.
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      }),
      backupPlanRules: [
        new BackupPlanRule({
          scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
          deleteAfter,
          copyActions: copies.map((destinationBackupVault) => ({ destinationBackupVault, deleteAfter })),
        }),
      ],
    });
    plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(this.table)] });
  }
}

/**
 * AWS Backup generates no names. A vault outlives its stack, and another key replaces it: its name has a part of the ID of
 * the stack, and of the key.
 */
function vaultName(stackName: string, key: IKey | undefined): string {
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  const ofKey = key ? [createHash('sha256').update(key.keyArn).digest('hex').slice(0, 8)] : [];
  return Fn.join('-', [stackName.slice(0, 32), Fn.select(0, Fn.split('-', uuid)), ...ofKey]);
}
