import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** Event of an API Gateway HTTP API in payload format 2.0. */
export type GatewayEvent = APIGatewayProxyEventV2;

/** Whether an event has this form: consoles, warm-ups, REST APIs and load balancers send others. */
export function isGatewayEvent(event: unknown): event is GatewayEvent {
  const { version, requestContext } = (event ?? {}) as Partial<GatewayEvent>;
  return version === '2.0' && requestContext?.http !== undefined;
}

/**
 * The origin of a request's own URL. The gateway sets `x-forwarded-proto`: https, except on a local instance on loopback.
 */
export const originOf = ({ headers }: Pick<GatewayEvent, 'headers'>) =>
  `${headers['x-forwarded-proto'] === 'http' ? 'http' : 'https'}://${headers['host']}`;

export interface GatewayResult extends APIGatewayProxyStructuredResultV2 {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}
