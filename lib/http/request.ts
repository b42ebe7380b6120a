import type { MiddlewareObj } from '@middy/core';
import type { Caller } from '../account/caller.ts';
import type { Authenticate, Authentication } from '../auth/authenticate.ts';
import type { Answer } from '../contract/answer.ts';
import type { Body, Contract, OpenAccess, Params, Query, RequestHeaders } from '../contract/contract.ts';
import type { GatewayEvent, GatewayResult } from '../contract/gateway-event.ts';
import type { Actor } from '../event/event.ts';
import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { VerifiedSession } from '../session/session-token.ts';
import type { Guard } from '../table/table.ts';

/** The result of authentication: the caller, and what its credential may do. */
export interface Authenticated
  extends Pick<
    Authentication,
    'caller' | 'credential' | 'limits' | 'secret' | 'token' | 'session' | 'recorded'
  > {
  /** Verifies other credentials, with the caches of the function. */
  readonly authenticate: Authenticate;
}

/** The parts of a request in the shapes of its contract. */
interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/**
 * A request on its way through the stack: the event of the gateway, which nothing changes, and the result of each
 * middleware. A result is absent until its middleware has run.
 */
export interface RequestContext {
  readonly event: GatewayEvent;
  /** Start of the request in milliseconds, by `performance` of `lib/precise-time.ts`. */
  readonly startedAt: number;
  /** Absent for public endpoints, and for requests with a code in place of a credential. */
  authenticated?: Authenticated;
  /** The account of each path parameter that is a username. */
  accounts?: readonly (Account | undefined)[];
  /** Condition on the writes of the rule. */
  guard?: Guard;
  /** The body as parsed: JSON, or a form as JSON. */
  body?: unknown;
  input?: Input;
  answer?: Answer;
  /** Whether the audit line is written. */
  isAudited?: true;
}

/** Middy passes the context as the event of its handlers. */
export type EndpointMiddleware = MiddlewareObj<RequestContext, GatewayResult>;

/** The fields of a body or an answer whose shape may be unchecked; none if it is no object. */
export const fieldsOf = (content: unknown): Readonly<Record<string, unknown>> => ({
  ...(typeof content === 'object' ? content : {}),
});

/** An account for each path parameter that is a username; undefined if it need not exist and does not. */
type Named<Names, Gone> = Names extends readonly string[]
  ? { readonly [K in keyof Names]: Account | Gone }
  : readonly [];

/** A property of the caller: undefined for public endpoints, and for requests without a credential where none is required. */
type OfCaller<C extends Contract, T> = C['access'] extends 'public'
  ? undefined
  : C['access'] extends OpenAccess
    ? T | undefined
    : T;

/** The input of a rule: the caller, the accounts on the path, and the validated request. */
export interface EndpointRequest<C extends Contract> {
  readonly caller: OfCaller<C, Caller>;
  /** The caller as the author of a change. */
  readonly actor: OfCaller<C, Actor>;
  readonly limits: OfCaller<C, CredentialLimits>;
  /** Verifies other credentials, with the caches of the function. */
  readonly authenticate: OfCaller<C, Authenticate>;
  /** Name of the API token, or ID of the session. */
  readonly credential: OfCaller<C, string>;
  /** ID of the secret of the API token that authenticates, or that has logged in the session. */
  readonly secret: string | undefined;
  /** The session that authenticates; undefined for an API token. */
  readonly session: VerifiedSession | undefined;
  readonly accounts: Named<C['accounts'], C['accountsMayBeGone'] extends true ? undefined : never>;
  readonly params: Params<C>;
  readonly query: Query<C>;
  readonly headers: RequestHeaders<C>;
  readonly body: Body<C>;
  readonly event: GatewayEvent;
}
