import type { MiddlewareObj } from '@middy/core';
import type { Caller } from '../account/caller.ts';
import type { Authenticate, Authentication } from '../auth/authenticate.ts';
import type { Body, Contract, Params, Query, RequestHeaders } from '../contract/contract.ts';
import type { GatewayEvent, GatewayResult } from '../contract/gateway-event.ts';
import type { Actor } from '../event/event.ts';
import type { Account } from '../item/account.ts';
import type { Limits } from '../item/token.ts';
import type { Guard } from '../table/table.ts';

/** The event on its way through the stack; each middleware adds its results. */
export interface EndpointEvent extends Omit<GatewayEvent, 'body'> {
  body?: unknown;
  /** Start of the request in milliseconds, by `performance` of `lib/time.ts`. */
  startedAt?: number;
  isAudited?: true;
  caller?: Caller;
  credential?: string;
  limits?: Limits;
  authenticate?: Authenticate;
  secret?: string | undefined;
  token?: Authentication['token'];
  recorded?: Authentication['recorded'];
  guard?: Guard;
  accounts?: readonly (Account | undefined)[];
  params?: unknown;
  given?: unknown;
  query?: unknown;
}

export type EndpointMiddleware = MiddlewareObj<EndpointEvent, GatewayResult>;

/** An account for each path parameter that is a username. */
type Named<Names> = Names extends readonly string[] ? { readonly [K in keyof Names]: Account } : readonly [];

/** A property of the caller: undefined for public endpoints, and for requests with a code in place of a credential. */
type OfCaller<C extends Contract, T> = C['access'] extends 'public'
  ? undefined
  : C['access'] extends 'authenticated-or-code'
    ? T | undefined
    : T;

/** The input of a rule: the caller, the accounts on the path, and the validated request. */
export interface EndpointRequest<C extends Contract> {
  readonly caller: OfCaller<C, Caller>;
  /** The caller as the author of a change. */
  readonly actor: OfCaller<C, Actor>;
  readonly limits: OfCaller<C, Limits>;
  /** Verifies other credentials, with the caches of the function. */
  readonly authenticate: OfCaller<C, Authenticate>;
  /** Name of the API token, or ID of the session. */
  readonly credential: OfCaller<C, string>;
  /** ID of the secret of the API token that authenticates, or that has logged in the session. */
  readonly secret: string | undefined;
  readonly accounts: Named<C['accounts']>;
  readonly params: Params<C>;
  readonly query: Query<C>;
  readonly headers: RequestHeaders<C>;
  readonly body: Body<C>;
  readonly event: GatewayEvent;
}
