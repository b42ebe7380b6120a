import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What an answer of DynamoDB is collected with and from. */
interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}
interface Collecting {
  readonly streamCollector: (stream: unknown) => Promise<Uint8Array>;
}
interface Protocol {
  deserializeResponse(operation: unknown, context: Collecting, answer: Answer): Promise<object>;
}

/**
 * Has a client read answers as the JSON that they are. The SDK walks through them too, value by value, for times and
 * binary values: the table has none, and a page of the directory has 300,000 values. Refusals are read by the SDK.
 */
export function readPlainAnswers(client: DynamoDBClient): void {
  const protocol = client.config.protocol as unknown as Protocol;
  const byTheSdk = protocol.deserializeResponse.bind(protocol);
  protocol.deserializeResponse = async (operation, context, answer) => {
    const { statusCode, headers, body } = answer;
    if (statusCode !== 200) return byTheSdk(operation, context, answer);
    const { buffer, byteOffset, byteLength } = await context.streamCollector(body);
    const text = Buffer.from(buffer, byteOffset, byteLength).toString();
    return {
      ...(JSON.parse(text) as object),
      $metadata: { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] },
    };
  };
}
