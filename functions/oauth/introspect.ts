import { endpoint } from '#lib/handler/endpoint';
import { introspect } from '#lib/oauth/contracts';
import { inspect } from '#lib/oauth/inspect';

/** Inspects a credential for a service that received it (RFC 7662). */
export const handler = endpoint(introspect, ({ authenticate, body }) => inspect(authenticate, body.token));
