import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Contract, Params, Query, ResponseOf } from '../contract/contract.ts';
import type { GatewayEvent, GatewayResult } from '../contract/gateway-event.ts';
import { withoutBody } from '../http/body.ts';
import { compression } from '../http/compression.ts';
import { envelope } from '../http/envelope.ts';
import type { EndpointEvent, EndpointMiddleware } from '../http/request.ts';
import { requestLog } from '../http/request-log.ts';
import { revalidation } from '../http/revalidation.ts';
import { validation } from '../http/validation.ts';
import { variation } from '../http/variation.ts';
import { type Settings, settingsFromEnvironment } from '../settings.ts';

/** A public contract without needs. */
type OpenContract = Contract & { readonly access: 'public'; readonly needs: readonly [] };

/**
 * Creates the function of an endpoint without authentication and without a table; its bundle contains neither the SDK
 * nor the verification of sessions. Otherwise as `endpoint()`.
 */
export function openEndpoint<const C extends OpenContract>(
  contract: C,
  rule: (
    request: { readonly params: Params<C>; readonly query: Query<C>; readonly event: GatewayEvent },
    settings: Settings,
  ) => ResponseOf<C>,
) {
  const settings = settingsFromEnvironment(process.env);
  const handler = middy<EndpointEvent, GatewayResult>()
    .use(stack(contract, settings))
    .handler(
      (event: EndpointEvent) =>
        rule(
          { params: event.params as Params<C>, query: event.query as Query<C>, event: event as GatewayEvent },
          settings,
        ) as unknown as GatewayResult,
    );
  return (event: GatewayEvent, context: Context): Promise<GatewayResult> =>
    handler(event as EndpointEvent, context);
}

/** The middlewares, in the order of a request; an answer passes them in reverse. */
const stack = (contract: Contract, settings: Settings): EndpointMiddleware[] => [
  requestLog(contract.id),
  variation(contract, settings.CorsAllowedOrigins),
  ...(contract.compress ? [compression()] : []),
  ...(contract.revalidated ? [revalidation()] : []),
  envelope(contract),
  withoutBody(),
  validation(contract),
];
