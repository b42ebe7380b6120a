import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** Table of the customers on a local instance; a stack sets its own in the environment variable CUSTOMERS_TABLE. */
export const CUSTOMERS_TABLE = 'customers-of-the-example';

/** The fields of an event that this subscriber reads. */
export interface AccountEvent {
  readonly 'detail-type': string;
  readonly detail: {
    readonly id: string;
    readonly userid: string;
    /** Absent from `user_erase`. */
    readonly username?: string;
    readonly transition: number;
  };
}

/** A customer with an account. */
export interface Customer {
  readonly userid: string;
  readonly state?: 'active' | 'cancelled';
  /** Number of the last event that took effect. */
  readonly transition?: number;
  readonly event_id?: string;
  /** Personal data, deleted when the account is cancelled. */
  readonly notes?: string;
}

/** Effect of an event: none if it is repeated or outdated, or about an account that is no customer. */
export type Outcome = 'cleaned up' | 'active again' | 'forgotten' | 'nothing to do';

/**
 * Cleans up after an account: one write removes personal data and stores the event. It succeeds only for a customer
 * whose stored `transition` is below that of the event, so that repeated and late events change nothing. Do other work
 * before this write, and make it idempotent.
 *
 * @throws the error of DynamoDB; Lambda retries then
 */
export async function cleanUp(
  client: DynamoDBDocumentClient,
  TableName: string,
  { 'detail-type': type, detail }: AccountEvent,
): Promise<Outcome> {
  if (type === 'user_erase') return forget(client, TableName, detail.userid);
  const cancelled = type === 'user_cancel';
  if (!cancelled && type !== 'user_reactivate') return 'nothing to do';
  try {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { userid: detail.userid },
        // Otherwise the update would create a customer, for example by a sample (`events send`).
        ConditionExpression:
          'attribute_exists(userid) AND (attribute_not_exists(#transition) OR #transition < :transition)',
        UpdateExpression: `SET #state = :state, #transition = :transition, event_id = :id${cancelled ? ' REMOVE notes' : ''}`,
        ExpressionAttributeNames: { '#state': 'state', '#transition': 'transition' },
        ExpressionAttributeValues: {
          ':state': cancelled ? 'cancelled' : 'active',
          ':transition': detail.transition,
          ':id': detail.id,
        },
      }),
    );
    return cancelled ? 'cleaned up' : 'active again';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'nothing to do';
    throw error;
  }
}

/** Forgets an erased account. Nothing of it comes back, so a late event about it finds no customer. */
async function forget(client: DynamoDBDocumentClient, TableName: string, userid: string): Promise<Outcome> {
  const { Attributes } = await client.send(
    new DeleteCommand({ TableName, Key: { userid }, ReturnValues: 'ALL_OLD' }),
  );
  return Attributes ? 'forgotten' : 'nothing to do';
}
