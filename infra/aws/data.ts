import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { TABLE } from '#lib/table/shape';
import type { Binding } from './binding.ts';
import { SigningKey } from './signing-key.ts';
import { tableBinding } from './table-binding.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** What an instance keeps: its table, which outlives the stack, and the key that signs its session tokens. */
export class Data extends Construct {
  readonly table: TableV2;
  readonly tableBinding: Binding;
  readonly signingKey: SigningKey;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.signingKey = new SigningKey(this, 'SigningKey');
    this.table = new TableV2(this, 'Table', {
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
    this.tableBinding = tableBinding(this.table);
  }
}
