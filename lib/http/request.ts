import type { MiddlewareObj } from '@middy/core';
import type { Caller } from '../account/caller.ts';
import type { Body, Contract, Params, Query, RequestHeaders } from '../contract/contract.ts';
import type { GatewayEvent, GatewayResult } from '../contract/gateway-event.ts';
import type { Actor } from '../event/account-event.ts';
import type { Account } from '../item/account.ts';
import type { Guard } from '../table/table.ts';

/** The event on its way through the stack; each middleware adds its results. */
export interface EndpointEvent extends Omit<GatewayEvent, 'body'> {
  body?: unknown;
  caller?: Caller;
  guard?: Guard;
  accounts?: readonly (Account | undefined)[];
  params?: unknown;
  given?: unknown;
  query?: unknown;
}

export type EndpointMiddleware = MiddlewareObj<EndpointEvent, GatewayResult>;

/** An account for each path parameter that is a username. */
type Named<Names> = Names extends readonly string[] ? { readonly [K in keyof Names]: Account } : readonly [];

/** The input of a rule: the caller, the accounts on the path, and the validated request. */
export interface EndpointRequest<C extends Contract> {
  readonly caller: C['access'] extends 'public' ? undefined : Caller;
  /** The caller as the author of a change. */
  readonly actor: C['access'] extends 'public' ? undefined : Actor;
  readonly accounts: Named<C['accounts']>;
  readonly params: Params<C>;
  readonly query: Query<C>;
  readonly headers: RequestHeaders<C>;
  readonly body: Body<C>;
  readonly event: GatewayEvent;
}
