import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AccountEvent, cleanUp } from './clean-up.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());

/** The function of the subscriber: what it throws, EventBridge tries again for a day, and then it is a dead letter. */
export async function handler(event: AccountEvent): Promise<void> {
  const outcome = await cleanUp(client, process.env['CUSTOMERS_TABLE'] as string, event);
  console.log(JSON.stringify({ event: event.detail.id, userid: event.detail.userid, outcome }));
}
