import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** Event of an API Gateway HTTP API in payload format 2.0. */
export type GatewayEvent = APIGatewayProxyEventV2;

export interface GatewayResult extends APIGatewayProxyStructuredResultV2 {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}
