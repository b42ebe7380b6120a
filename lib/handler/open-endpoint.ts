import type { Contract, ResponseOf } from '../contract/contract.ts';
import { withoutBody } from '../http/body.ts';
import type { EndpointRequest } from '../http/request.ts';
import { validation } from '../http/validation.ts';
import { type Settings, settingsFromEnvironment } from '../instance/settings.ts';
import { serve } from './serve.ts';

/** A public contract without needs. */
type OpenContract = Contract & { readonly access: 'public'; readonly needs: readonly [] };

/**
 * Creates the function of an endpoint without authentication and without a table; its bundle contains neither the SDK
 * nor the verification of sessions. Otherwise as `endpoint()`.
 */
export function openEndpoint<const C extends OpenContract>(
  contract: C,
  rule: (request: EndpointRequest<C>, settings: Settings) => ResponseOf<C>,
) {
  const settings = settingsFromEnvironment(process.env);
  const checks = [withoutBody(), validation(contract)];
  return serve(contract, settings, checks, (request: EndpointRequest<C>) => rule(request, settings));
}
