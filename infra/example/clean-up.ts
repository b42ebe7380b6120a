import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** Table of the customers on a local instance; a stack names its own in the environment variable CUSTOMERS_TABLE. */
export const CUSTOMERS_TABLE = 'customers-of-the-example';

/** As much of an event as this subscriber reads. */
export interface AccountEvent {
  readonly 'detail-type': string;
  readonly detail: {
    readonly id: string;
    readonly userid: string;
    readonly username: string;
    readonly transition: number;
  };
}

/** What a subscriber keeps of a customer who has an account. */
export interface Customer {
  readonly userid: string;
  readonly state?: 'active' | 'cancelled';
  /** Of the last event that counted. */
  readonly transition?: number;
  readonly event_id?: string;
  /** Personal data, which goes with the account. */
  readonly notes?: string;
}

/** What became of an event: it counted, or it was older than another, or the same again. */
export type Outcome = 'cleaned up' | 'active again' | 'nothing to do';

/**
 * Cleans up after an account: personal data are removed in the same write that notes the event. It counts only if its
 * `transition` is above the last one, so that an event which comes again or late changes nothing, and the write can be
 * repeated as often as EventBridge likes. Work that is no write of this table is to be done before it, and to be such
 * that it can be done twice.
 *
 * @throws whatever DynamoDB answers: EventBridge tries again then
 */
export async function cleanUp(
  client: DynamoDBDocumentClient,
  TableName: string,
  { 'detail-type': type, detail }: AccountEvent,
): Promise<Outcome> {
  const cancelled = type === 'user_cancel';
  if (!cancelled && type !== 'user_reactivate') return 'nothing to do';
  try {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { userid: detail.userid },
        ConditionExpression: 'attribute_not_exists(#transition) OR #transition < :transition',
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
