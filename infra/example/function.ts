import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AccountEvent, CUSTOMERS_TABLE, cleanUp } from './clean-up.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());

/** Cleans up after an account. If it fails, Lambda runs it twice more, after one and two minutes, and then dead-letters the event. */
export async function handler(event: AccountEvent): Promise<void> {
  const outcome = await cleanUp(client, process.env['CUSTOMERS_TABLE'] ?? CUSTOMERS_TABLE, event);
  console.log(JSON.stringify({ event: event.detail.id, userid: event.detail.userid, outcome }));
}
