import type * as z from 'zod/mini';
import type { FailureCode } from '../failure.ts';
import type { Answer } from './answer.ts';
import type { Needs } from './needs.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The roles that gate operations. Accounts may hold others, which mean nothing here. */
export type Role = 'sys_administrator' | 'sys_tokens';

/**
 * Who may call: anyone; any authenticated account; holders of a role; or holders of a role and, where `username`
 * in the path or the body is absent or names the caller, the caller.
 */
export type Access = 'public' | 'authenticated' | { readonly role: Role; readonly orSelf?: 'path' | 'body' };

/** How long the function of an endpoint may take, in seconds: the gateway waits 30, its client not always so long. */
export const ENDPOINT_TIMEOUT_SECONDS = 15;

/** How long the gateway waits for a function, in seconds; no HTTP API waits longer. */
export const GATEWAY_TIMEOUT_SECONDS = 30;

/** How long a job may take, in seconds. */
export const JOB_TIMEOUT_SECONDS = 60;

/**
 * Memory of an endpoint's function, in MB; it needs 110 MB, and CPU comes in proportion. A cold start takes half as long
 * as with 512 MB, and a warm run three fifths, for 2 % more dollars a request (`infra/cost/README.md`).
 */
export const ENDPOINT_MEMORY_MB = 1024;

/** Memory of a job, in MB: nobody waits for it. It needs 100 MB. */
export const JOB_MEMORY_MB = 512;

type Schema = () => z.ZodMiniType;

/**
 * One endpoint as plain data: the only place where its method, path, role and shapes stand. Schemas are
 * thunks, so that a bundle carries only those of its own contract and builds them once.
 */
export interface Contract {
  /** `<noun>.<verb>`: the function's file, bundle, construct, operationId and log name. */
  readonly id: `${string}.${string}`;
  readonly summary: string;
  readonly method: Method | readonly Method[];
  /** Below the base URL; the last segment may be optional, as in `{username?}`. */
  readonly path: string;
  /** Where people look for it first: redirected to {@link path}. */
  readonly aliases?: readonly string[];
  /** A page and what it is made of: no part of the API, hence not in its document. */
  readonly forPeople?: true;
  readonly access: Access;
  /** What the function may do beyond authenticating its caller and reading {@link accounts}. */
  readonly needs: Needs;
  /** The `message` of the envelope. An endpoint without a title answers its payload without the envelope. */
  readonly title?: string;
  /** Path parameters that name accounts: these are read together with the caller, in the same round trip. */
  readonly accounts?: readonly string[];
  /** Name of the token that it is about, where the path has no parameter `token_name`. */
  readonly tokenName?: string;
  readonly params?: Schema;
  readonly query?: Schema;
  /** Headers of the request that mean something beyond what all requests have; names in lower case. */
  readonly requestHeaders?: Schema;
  readonly body?: Schema;
  /** What a body may be besides JSON, and whether it may be absent. */
  readonly bodyKind?: 'json' | 'json-or-none' | 'json-or-form-or-none';
  /** In bytes; 256 KiB unless told. */
  readonly maxBodyBytes?: number;
  /** The shape of `data`, or of the payload where there is no envelope. */
  readonly response: Schema;
  /** Media types of the answer; JSON unless told. */
  readonly produces?: readonly string[];
  /** Headers of every success. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A GET that changes state (not safe in the sense of RFC 9110): with a cookie it is refused cross-site. */
  readonly unsafe?: true;
  /** No GET, yet whoever does not know what became of a request may send it again: that changes nothing more. */
  readonly repeatable?: true;
  /**
   * It neither writes nor answers from the account, so it may answer sessions seen within a minute while the table is
   * out of reach.
   */
  readonly answersDuringOutage?: true;
  /** Memory of the function in MB (1,769 MB is one full CPU); {@link ENDPOINT_MEMORY_MB} unless told. */
  readonly memory?: number;
  /** Requests a second, and at once, that the gateway lets through where that is less than of the others. */
  readonly throttle?: { readonly rate: number; readonly burst: number };
  /** Execution environments of its own, and no more than these, where a stage reserves any. */
  readonly reserved?: number;
  /** Answers above 1 KiB are compressed where the client accepts it. */
  readonly compress?: true;
  /** Answers have an ETag, and a client that names it is answered 304 (RFC 9110 section 13.1.2). */
  readonly revalidated?: true;
  /** The failures that follow neither from its access, nor from its parameters, its body or its accounts. */
  readonly failures?: readonly FailureCode[];
}

type Parsed<S> = S extends () => infer T
  ? T extends z.ZodMiniType
    ? z.output<T>
    : never
  : Record<string, never>;

export type Params<C extends Contract> = Parsed<C['params']>;
export type Query<C extends Contract> = Parsed<C['query']>;
export type RequestHeaders<C extends Contract> = Parsed<C['requestHeaders']>;
export type Body<C extends Contract> = C['body'] extends Schema ? Parsed<C['body']> : undefined;

/** Rules may share what they answer with the items that they have read. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;

/** What the rule of a contract answers: its response, alone or with what else there is to say. */
export type ResponseOf<C extends Contract> =
  | Immutable<z.output<ReturnType<C['response']>>>
  | Answer<Immutable<z.output<ReturnType<C['response']>>>>;

/** A function without a route: what starts it, and what it may touch. */
export interface Job {
  readonly id: `${string}.${string}`;
  readonly summary: string;
  readonly trigger: { readonly everyMinutes: number } | 'secret-rotation' | 'audit-lines';
  readonly needs: Needs;
}
