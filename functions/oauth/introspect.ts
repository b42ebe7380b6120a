import { endpoint } from '#lib/handler/endpoint';
import { inspect } from '#lib/oauth/inspect';
import { contract } from '#lib/oauth/introspect.contract';

/** Inspects a credential for a service that received it (RFC 7662). */
export const handler = endpoint(contract, ({ authenticate, body }) => inspect(authenticate, body.token));
