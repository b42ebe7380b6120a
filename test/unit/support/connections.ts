import { CLIENT_LIMITS } from '#lib/network/aws';

/** The limit of functions. */
export const CONNECTION_MS = CLIENT_LIMITS.requestHandler.connectionTimeout;

// Tests send more at once than a client has connections, and a request that waits for one seems not to connect.
CLIENT_LIMITS.requestHandler.connectionTimeout = 60_000;
