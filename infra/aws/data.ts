import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, type CfnGlobalTable, type ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { TABLE } from '#lib/table/shape';
import type { Binding } from './binding.ts';
import { SigningKey } from './signing-key.ts';
import { tableBinding } from './table-binding.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

export interface DataProps {
  /** Name of an existing table, used as it is; if empty, the stack creates a table. */
  readonly tableName: string;
  /** KMS key that encrypts the table and the signing key; if empty, keys of AWS encrypt them. */
  readonly kmsKeyArn: string;
}

/** The table, which outlives the stack, and the key that signs session tokens. */
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
      // CDK's own `encryption` requires the region, which this template does not fix.
      const resource = table.node.defaultChild as CfnGlobalTable;
      resource.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
      resource.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: key.keyArn });
    }
    return table;
  }

  /** An existing table of this region and account; its shape, protection and recovery stay as they are. */
  private adopted(tableName: string): ITable {
    return TableV2.fromTableAttributes(this, 'AdoptedTable', {
      tableName,
      globalIndexes: TABLE.indexes.map(({ name }) => name),
    });
  }
}

/** Actions of a service on its KMS key, on behalf of its caller. */
const KEY_ACTIONS = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'];

/**
 * An encrypted resource: its grants include the use of the key, through the service of the resource only.
 *
 * @param key undefined for a key of AWS, which needs no grant
 * @param service as in `dynamodb.<region>.amazonaws.com`
 */
function withKey(binding: Binding, key: IKey | undefined, service: string): Binding {
  if (key === undefined) return binding;
  const conditions = { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.amazonaws.com` } };
  const actions = KEY_ACTIONS.map((action) => `kms:${action}`);
  const use = { actions, resource: key.keyArn, conditions };
  return { ...binding, grants: (needs) => [...binding.grants(needs), use] };
}
