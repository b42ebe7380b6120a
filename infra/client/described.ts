import type { AnyContract, HeadersOf, InputOf, IsListing, OutputOf } from '#lib/client/contracts';

/** Inputs and outputs of a client's methods, by operation; the declarations are generated from it. */
export type Described = {
  readonly [C in AnyContract as C['id']]: {
    readonly input: InputOf<C>;
    // biome-ignore lint/complexity/noBannedTypes: whether nothing is required
    readonly isOptional: {} extends InputOf<C> ? true : false;
    readonly headers: HeadersOf<C>;
    readonly output: OutputOf<C>;
    readonly isListing: IsListing<C>;
  };
};
