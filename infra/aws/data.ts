import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, type CfnGlobalTable, type ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { TABLE } from '#lib/table/shape';
import type { Binding } from './binding.ts';
import { SigningKey } from './signing-key.ts';
import { withKey } from './stage/encryption.ts';
import { tableBinding } from './table-binding.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

export interface DataProps {
  /** Name of an existing table, which is adopted as it is; empty where the stack has its own. */
  readonly tableName: string;
  /** Encrypts the table and the signing key; empty for AWS's own keys. */
  readonly kmsKeyArn: string;
}

/** What an instance keeps: its table, which outlives the stack, and the key that signs its session tokens. */
export class Data extends Construct {
  readonly table: ITable;
  readonly tableBinding: Binding;
  readonly signingKey: SigningKey;
  readonly signingKeyBinding: Binding;

  constructor(scope: Construct, id: string, { tableName, kmsKeyArn }: DataProps) {
    super(scope, id);
    const key = kmsKeyArn === '' ? undefined : Key.fromKeyArn(this, 'Key', kmsKeyArn);
    this.signingKey = new SigningKey(this, 'SigningKey', key);
    this.table = tableName === '' ? this.ownTable(key) : this.adopted(tableName);
    this.tableBinding = withKey(tableBinding(this.table), key, 'dynamodb');
    this.signingKeyBinding = withKey(this.signingKey.binding, key, 'secretsmanager');
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
      // CDK's own `encryption` asks for the region, which this template leaves open.
      const resource = table.node.defaultChild as CfnGlobalTable;
      resource.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
      resource.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: key.keyArn });
    }
    return table;
  }

  /** A table of this region and account, whose shape, protection and recovery are as somebody has left them. */
  private adopted(tableName: string): ITable {
    return TableV2.fromTableAttributes(this, 'AdoptedTable', {
      tableName,
      globalIndexes: TABLE.indexes.map(({ name }) => name),
    });
  }
}
