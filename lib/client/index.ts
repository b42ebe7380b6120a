export { createClient } from './client.ts';
export { CoreAccountError, type ErrorCode } from './error.ts';
export type { Listing, Page } from './listing.ts';
export type { Client } from './methods.ts';
export type { ClientOptions, Credential, Identity, RequestOptions } from './options.ts';
export type {
  Account,
  AuditEntry,
  CreatedToken,
  PendingEvent,
  Profile,
  Session,
  Team,
  Token,
  Trust,
} from './types.ts';
