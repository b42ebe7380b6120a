import type * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import type { instantOrDate } from '../contract/paging.ts';
import type * as endpoints from '../endpoints.ts';

type Endpoints = typeof endpoints;

/** Every contract of the API, as a type: a client contains none of its code. */
export type AnyContract = Exclude<Endpoints[keyof Endpoints]['contract'], { readonly forPeople: true }>;

/** Method of an operation, or any of its methods. */
export type MethodOf<C extends Contract> = C['method'] extends readonly (infer M)[] ? M : C['method'];

/** Whether a request may be sent again when its outcome is unknown; by page for a listing. */
export type RepeatsOf<C extends Contract> = C extends { readonly unsafe: true }
  ? 'never'
  : IsListing<C> extends true
    ? 'by-page'
    : C extends { readonly method: 'GET' } | { readonly repeatable: true }
      ? 'always'
      : 'idempotency-key' extends keyof SchemaInput<C, 'requestHeaders'>
        ? 'with-key'
        : 'never';

/** Input of a schema of the contract, `{}` when it has no such schema. */
type SchemaInput<C, Name extends string> = C extends {
  readonly [N in Name]: () => infer S extends z.ZodMiniType;
}
  ? z.input<S>
  : // biome-ignore lint/complexity/noBannedTypes: adds nothing to an intersection
    {};

type Flat<T> = { [K in keyof T]: T[K] };

/** Value of a query parameter: its text or what it is parsed to. */
type Value<S> =
  S extends z.ZodMiniOptional<infer Inner extends z.ZodMiniType>
    ? Value<Inner>
    : S extends z.ZodMiniPipe<z.ZodMiniISODateTime> | ReturnType<typeof instantOrDate>
      ? Date | string
      : S extends z.ZodMiniType
        ? z.input<S> | z.output<S>
        : never;

type QueryInput<C> = C extends { readonly query: () => z.ZodMiniObject<infer Shape> }
  ? { [K in keyof Shape as Shape[K] extends z.ZodMiniOptional ? K : never]?: Value<Shape[K]> | undefined } & {
      [K in keyof Shape as Shape[K] extends z.ZodMiniOptional ? never : K]: Value<Shape[K]>;
    }
  : // biome-ignore lint/complexity/noBannedTypes: adds nothing to an intersection
    {};

/** Input of an operation: parameters of the path and the query and properties of the body, in one object. */
export type InputOf<C extends Contract> =
  unknown extends SchemaInput<C, 'body'>
    ? unknown
    : OrNothing<Flat<SchemaInput<C, 'params'> & QueryInput<C> & SchemaInput<C, 'body'>>>;

/** Accepts no property when the input has none: every object fits `{}`. */
type OrNothing<T> = keyof T extends never ? Record<string, never> : T;

type Answered<C extends Contract> = z.output<ReturnType<C['response']>>;

/** Answer of an operation: `data` of the envelope or the payload without one, as JSON when there is a choice. */
export type OutputOf<C extends Contract> = C extends { readonly produces: readonly string[] }
  ? Exclude<Answered<C>, string>
  : Answered<C>;

/** Request headers of an operation, as options. */
export type HeadersOf<C extends Contract> = Camelled<Omit<SchemaInput<C, 'requestHeaders'>, 'if-none-match'>>;

/** Converts `profile-update` to `profileUpdate`. */
export type Camel<Text> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

type Camelled<T> = { readonly [K in keyof T as Camel<K>]?: T[K] };

/** Whether the operation answers a page of a listing. The first page of an export has more than a list. */
export type IsListing<C extends Contract> = 'cursor' extends keyof QueryInput<C>
  ? 'audit_next' extends keyof Answered<C>
    ? false
    : true
  : false;

/** Properties of an operation that a client needs at run time. */
type Row<C extends Contract> = readonly [
  method: MethodOf<C>,
  path: C['path'],
  repeats: RepeatsOf<C>,
  ...(C['access'] extends 'public' | 'authenticated-or-code' ? [access: C['access']] : []),
  ...(C extends { readonly bodyKind: 'form' } ? [body: 'form'] : []),
];

/** The rows of all operations, each with the values of its contract. */
export type Operations = { readonly [C in AnyContract as C['id']]: Row<C> };

export type OperationId = keyof Operations;
