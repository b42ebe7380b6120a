import { endpoint } from '#lib/handler/endpoint';
import { introspect } from '#lib/oauth/contracts';
import { inspect } from '#lib/oauth/inspect';

/**
 * Inspects a credential for a service that received it (RFC 7662).
 *
 * One round trip after authentication; one more for an API token whose owner is not cached.
 */
export const handler = endpoint(introspect, ({ authenticate, body }) => inspect(authenticate, body.token));
