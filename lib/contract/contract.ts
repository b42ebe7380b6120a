import type * as z from 'zod/mini';
import type { FailureCode } from '../failure/codes.ts';
import type { Settings } from '../instance/settings.ts';
import type { Answer } from './answer.ts';
import type { Need } from './needs.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Roles that permit operations. Accounts may hold other roles, which the service ignores. */
export const ROLES = ['sys_administrator', 'sys_tokens', 'sys_introspection'] as const;
export type Role = (typeof ROLES)[number];

const OPEN = ['public', 'authenticated-or-code', 'optional'] as const;

/** Access that a request may have without a credential. */
export type OpenAccess = (typeof OPEN)[number];

/**
 * Permitted callers: everyone, authenticated accounts, or holders of a role. With `orSelf`, callers without the role may
 * address themselves: `username` in the path or the body is absent or their own. `authenticated-or-code` also permits a
 * request without a credential whose body has a one-time `code`, which the rule verifies. `optional` permits everyone, and
 * verifies a credential that is presented: the rule decides what a caller gets more.
 */
export type Access =
  | OpenAccess
  | 'authenticated'
  | { readonly role: Role; readonly orSelf?: 'path' | 'body' };

/** Whether a request may lack a credential. Then the rule decides what it gets, and no role is required of any. */
export const mayLackCredential = (access: Access): access is OpenAccess =>
  OPEN.some((open) => open === access);

/** Timeout of an endpoint in seconds: the gateway waits for 30, some clients for less. */
export const ENDPOINT_TIMEOUT_SECONDS = 15;

/** Limit of the gateway for all endpoints; the default quotas of an AWS account are 10,000 a second and 5,000 at once. */
export const GATEWAY_THROTTLE = { rate: 1000, burst: 2000 };

export const JOB_TIMEOUT_SECONDS = 60;

/** Time from the start of a job after which it begins no further page of its work, in ms; the effects of one take seconds. */
export const JOB_PAGES_MS = JOB_TIMEOUT_SECONDS * 1000 - 25_000;

/**
 * Memory of an endpoint's function, in MB; CPU comes in proportion. A warm request takes half of its time with 512 MB, for
 * at most as many GB-seconds; 1,769 MB cost up to 1.3 times as many (`infra/decisions/2026-11-26-memory.md`).
 */
export const ENDPOINT_MEMORY_MB = 1024;

/** Memory of a job in MB: no caller waits for it. */
export const JOB_MEMORY_MB = 512;

type Schema = () => z.ZodMiniType;

/**
 * Requests that need the step-up: every one, or those that meet one of the conditions. They are requests that cannot be
 * undone, that widen power, or that lower what guards an account.
 */
export type StepUp =
  | 'always'
  | {
      /** `username` in the path or the body names another account than the caller's. */
      readonly about?: 'another';
      /** One of these is in the body. */
      readonly with?: readonly Given[];
      /** Every request, except about an own passkey in the path that belongs to another domain: nobody can assert it. */
      readonly except?: 'own-unusable-passkey';
    };

/** A dotted path in the body that has a value, and no empty list; or a list there that contains a value. */
export type Given = string | { readonly list: string; readonly value: string };

/** What an entry of the audit log holds, in addition to the actor, the credential and the outcome. */
export interface AuditTerms {
  /** Kind of the target; `credential` is the token in the body, or the account of the session there. */
  readonly target: 'account' | 'token' | 'team' | 'credential';
  /** Details, from the path, the rule, or fields of the answer with these names; the entry of a success has no others. */
  readonly details?: readonly string[];
  /** False for a request that has an entry because of all that it reads. */
  readonly changes?: false;
}

/**
 * One endpoint as plain data: the only place of its method, path, role and shapes. Schemas are functions, so that a
 * bundle contains those of its own contract only and builds them once.
 */
export interface Contract {
  /** `<noun>.<verb>`: names the file, bundle, construct, operation and log of the function. */
  readonly id: `${string}.${string}`;
  readonly summary: string;
  readonly method: Method | readonly Method[];
  /** Path below the base URL; the last segment may be optional, as in `{username?}`. */
  readonly path: string;
  /** Paths that answer as {@link path} does; the OpenAPI document has only that one. */
  readonly alsoAt?: readonly string[];
  /** Paths that redirect to {@link path}. */
  readonly aliases?: readonly string[];
  /** Page for people, which the OpenAPI document does not contain. */
  readonly forPeople?: true;
  readonly access: Access;
  /**
   * Requests that a passkey must have confirmed in the last minutes, as far as `Settings:SecondFactor` demands it
   * (`lib/auth/step-up.ts`). The file of the function passes `stepUp` of `lib/http/step-up.ts` to `endpoint()`: no other
   * bundle contains it. Everything else follows from the contract: the failure in the OpenAPI document, the table of
   * `lib/auth/step-up.md`, and the test of every route.
   */
  readonly stepUp?: StepUp;
  /**
   * Credentials for requests about the caller's own account, under every setting: sessions that no API token has begun.
   * Otherwise a stolen API token would exchange what guards its account.
   */
  readonly ownBy?: 'session';
  /** Permissions of the function, in addition to authentication and reading {@link accounts}. */
  readonly needs: readonly Need[];
  /** `message` of the envelope; without a title the answer has no envelope. */
  readonly title?: string;
  /** Path parameters with usernames: these accounts are read with the caller in one round trip. */
  readonly accounts?: readonly string[];
  /** The accounts on the path need not exist: the rule answers for those that do not. */
  readonly accountsMayBeGone?: true;
  /** Its entry in the audit log; required for a login, an endpoint that may change visible state, and one that reads a whole person. */
  readonly audit?: AuditTerms;
  /**
   * `oauth`: refusals are those of RFC 6749 section 5.2, without an envelope. The file of the function passes `refusal` of
   * `lib/http/oauth-refusal.ts` to `endpoint()`: no other bundle contains it.
   */
  readonly errors?: 'oauth';
  /** Marks an endpoint that creates the account named in the body, which is then the target in the audit log. */
  readonly creates?: 'account';
  /** Name of the token, if the path has no parameter `token_name`. */
  readonly tokenName?: string;
  readonly params?: Schema;
  readonly query?: () => z.ZodMiniObject;
  /** Request headers that only this endpoint evaluates; names in lower case. */
  readonly requestHeaders?: Schema;
  readonly body?: Schema;
  /** Accepted kinds of bodies; JSON by default. */
  readonly bodyKind?: 'json' | 'json-or-none' | 'json-or-form-or-none' | 'form';
  /** Fields of a form that may be repeated: the rule judges them. None by default. */
  readonly repeatableFields?: readonly string[];
  /** Maximum size in bytes; 256 KiB by default. */
  readonly maxBodyBytes?: number;
  /** Shape of `data`, or of the whole answer without an envelope. */
  readonly response: Schema;
  /** Media types of the answer; JSON by default. */
  readonly produces?: readonly string[];
  /** Headers of each successful answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** GET that changes state (not safe in the sense of RFC 9110): refused cross-site with a cookie. */
  readonly unsafe?: true;
  /** A read-only credential may send it too: the rule permits it to end itself, and nothing else. */
  readonly endsReaders?: true;
  /** Clients may repeat the request although it is no GET: a repeat does no harm. */
  readonly repeatable?: true;
  /**
   * How long a cached account may answer for its session, in ms, or for a minute while the table is unreachable; only for
   * endpoints that do not use the account.
   */
  readonly accountCacheMs?: (settings: Settings) => number;
  /** Memory of the function in MB (1,769 MB is one full CPU); {@link ENDPOINT_MEMORY_MB} by default. */
  readonly memory?: number;
  /**
   * Limit of the gateway, in requests a second and at once, if lower than {@link GATEWAY_THROTTLE}. Refused requests count,
   * so strangers can use it up. Set it only for requests that may take a second of CPU, or send a megabyte to anyone.
   */
  readonly throttle?: { readonly rate: number; readonly burst: number };
  /** Reserved execution environments in stages with reservations; they are also the maximum. */
  readonly reserved?: number;
  /** Compresses answers above 1 KiB if the client accepts it. */
  readonly compress?: true;
  /** Adds an ETag to answers, and answers 304 to a client that sends it (RFC 9110 section 13.1.2). */
  readonly revalidated?: true;
  /** Failures that do not follow from its access, parameters, body or accounts. */
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

/** Answers may share objects with the items that rules have read. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;

/** The result of a rule: its response, or an {@link Answer} with it. */
export type ResponseOf<C extends Contract> =
  | Immutable<z.output<ReturnType<C['response']>>>
  | Answer<Immutable<z.output<ReturnType<C['response']>>>>;

/** A function without a route: its trigger and its permissions. */
export interface Job {
  readonly id: `${string}.${string}`;
  readonly summary: string;
  readonly trigger:
    | { readonly everyMinutes: number }
    | 'secret-rotation'
    | 'audit-lines'
    | 'probe'
    | 'command';
  readonly needs: readonly Need[];
}
