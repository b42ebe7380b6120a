import type { Authenticated, EndpointMiddleware, RequestContext } from '#lib/http/request';
import { gatewayEvent } from './gateway-event.ts';
import { accountItem } from './items.ts';

/** A request on its way through the stack, to which no middleware has added anything yet. */
export const requestContext = (
  event: Parameters<typeof gatewayEvent>[0] = {},
  part: Partial<RequestContext> = {},
): RequestContext => ({ event: gatewayEvent(event), startedAt: 0, ...part });

/** The result of the authentication of an account, by default with a session without limits. */
export const authenticatedAs = (
  username: string,
  part: Partial<Authenticated> = {},
  account: Parameters<typeof accountItem>[0] = {},
): Authenticated => ({
  caller: accountItem({ username, ...account }),
  credential: 'session-1',
  limits: {},
  secret: undefined,
  recorded: undefined,
  authenticate: () => Promise.reject(new Error('No other credential is expected')),
  ...part,
});

type Step = 'before' | 'after' | 'onError';
type Passed = Parameters<NonNullable<EndpointMiddleware[Step]>>[0];

/** Calls one step of a middleware as Middy does. */
export const step = (
  middleware: EndpointMiddleware,
  name: Step,
  event: RequestContext,
  part: Partial<Pick<Passed, 'response' | 'error'>> = {},
): unknown => {
  const context = {} as Passed['context'];
  return middleware[name]?.({ event, context, response: undefined, error: undefined, internal: {}, ...part });
};
