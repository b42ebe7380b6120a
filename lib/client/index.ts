export { createClient } from './client.ts';
export type { Credential } from './credential.ts';
export { CoreAccountError, type ErrorCode } from './error.ts';
export type { Listing, Page } from './listing.ts';
export type { Client } from './methods.ts';
export type { ClientOptions, RequestOptions } from './options.ts';
export type {
  Account,
  AuditEntry,
  CreatedToken,
  PendingEvent,
  Profile,
  Session,
  Team,
  Token,
} from './types.ts';
