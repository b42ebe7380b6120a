import type { Client } from './methods.ts';

type Answer<Method extends (...input: never[]) => unknown> = Awaited<ReturnType<Method>>;
type Item<Method extends (...input: never[]) => AsyncIterable<unknown>> =
  ReturnType<Method> extends AsyncIterable<infer Each> ? Each : never;

/** An account in the directory. */
export type Account = Item<Client['account']['browse']>;

/** The profile of an account; only the parts that `pscope` selects. */
export type Profile = Answer<Client['account']['profile']>;

/** An open session of an account. */
export type Session = Item<Client['account']['sessions']>;

/** A team. */
export type Team = Item<Client['team']['browse']>;

/** An event that waits for its publication. */
export type PendingEvent = Item<Client['event']['pending']>;

/** An entry of the audit log. */
export type AuditEntry = Item<Client['audit']['browse']>;

/** An API token, without its secret. */
export type Token = Item<Client['token']['browse']>;

/** A trust of a machine. */
export type Trust = Item<Client['trust']['browse']>;

/** A new API token, with its secret in `value`. */
export type CreatedToken = Answer<Client['token']['create']>;
