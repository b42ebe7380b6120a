import type { AnyContract, Camel, HeadersOf, InputOf, IsListing, OutputOf } from './contracts.ts';
import type { Listing } from './listing.ts';
import type { RequestOptions, TokenSource } from './options.ts';

type Answer<C extends AnyContract> =
  IsListing<C> extends true
    ? Listing<Extract<OutputOf<C>, { items: readonly unknown[] }>>
    : Promise<OutputOf<C>>;

type Method<C extends AnyContract> =
  // biome-ignore lint/complexity/noBannedTypes: matches when nothing is required
  {} extends InputOf<C>
    ? (input?: InputOf<C>, options?: RequestOptions & HeadersOf<C>) => Answer<C>
    : (input: InputOf<C>, options?: RequestOptions & HeadersOf<C>) => Answer<C>;

type Noun = AnyContract['id'] extends infer Id ? (Id extends `${infer N}.${string}` ? N : never) : never;

/** Methods by noun: the operation `account.profile-update` is `client.account.profileUpdate`. */
export type Client = TokenSource & {
  readonly [N in Noun]: {
    readonly [C in AnyContract as C['id'] extends `${N}.${infer Verb}` ? Camel<Verb> : never]: Method<C>;
  };
};
