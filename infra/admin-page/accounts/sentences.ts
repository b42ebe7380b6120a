import type * as endpoints from '../../../lib/endpoints.ts';
import type { Said } from '../said.ts';

type Endpoints = typeof endpoints;
type ContractOf<Id extends keyof Endpoints> = Endpoints[Id]['contract'];

/** The endpoints with entries of the audit log that have the outcome `ok`. */
type Audited = {
  [Id in keyof Endpoints]: ContractOf<Id> extends { readonly audit: object } ? Id : never;
}[keyof Endpoints];

/** The other endpoints that may refuse a person. */
export type Read = {
  [Id in Exclude<keyof Endpoints, Audited>]: ContractOf<Id>['access'] extends 'public' ? never : Id;
}[Exclude<keyof Endpoints, Audited>];

/** What the audit log may have as done. */
export type Action = Audited | `keys.${string}` | 'first-start' | `admin ${string}`;

/**
 * What an action does, in the forms that sentences need. In braces is what it does it to: a text without a target, then, if
 * it differs, one whose last noun the name of the account replaces. A token or a team replaces the whole.
 */
export interface Phrase {
  /** After the one who has done it: `locked {an account}`. */
  readonly done: string;
  /** After the one who has tried it: `lock {an account}`. */
  readonly tried: string;
  /** In lists: `Lock an account`. */
  readonly label: string;
}

/** What replaces a noun of a phrase, in its grammatical case. */
export interface Noun {
  /** A person with a name. */
  readonly named: (name: Said) => Said;
  /** The account of the person at the page, by somebody else. */
  readonly yours: string;
  /** The account of the one who acts. */
  readonly own: (isYou: boolean) => string;
  readonly erased: string;
  /** Several people. */
  readonly many: (people: number) => string;
}

/** Actions that change nothing: their entries say who has read what. */
export const READ_ONLY: readonly string[] = ['account.export', 'admin account export', 'admin export'];

/** A text without its braces, as it is without a target. */
export const withoutTarget = (text: string) => text.replace(/\{([^|}]*)[^}]*\}/, '$1');
