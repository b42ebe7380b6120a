export { createClient } from './client.ts';
export type { Credential } from './credential.ts';
export { CoreAccountError, type ErrorCode } from './error.ts';
export type { Listing } from './listing.ts';
export type { Client } from './methods.ts';
export type { ClientOptions, RequestOptions } from './options.ts';
