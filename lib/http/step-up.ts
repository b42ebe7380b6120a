import { isListed, MAX_ASSERTION_AGE, refusalOf } from '../auth/step-up.ts';
import type { Contract } from '../contract/contract.ts';
import { Failure } from '../failure/failure.ts';
import type { Runtime } from '../runtime.ts';
import { targetOf } from './authorization.ts';
import { REALM } from './envelope.ts';
import type { EndpointMiddleware } from './request.ts';

/** The challenge of RFC 9470. It comes with 403 in place of its 401, upon which clients log out. */
const CHALLENGE = `Bearer ${REALM}, error="insufficient_user_authentication", max_age=${MAX_ASSERTION_AGE}`;

/**
 * Refuses a request that its contract lists until a passkey has confirmed it. The decision reads nothing: the account was
 * read with the credential.
 */
export function stepUp(
  contract: Contract,
  { settings, now }: Pick<Runtime, 'settings' | 'now'>,
): EndpointMiddleware {
  const { stepUp: listed = 'always' } = contract;
  return {
    before: ({ event: context }) => {
      const { authenticated, input } = context;
      if (!authenticated) throw new Error('The caller is not known yet');
      const { caller, session } = authenticated;
      const target = targetOf(contract, context);
      if (!isListed(listed, { caller, target, body: input?.body })) return;
      const refusal = refusalOf(settings, caller, session, now());
      if (!refusal) return;
      const { code, ...error } = refusal;
      throw new Failure(code, {
        errors: [error],
        ...(code === 'step_up_required' && { headers: { 'www-authenticate': CHALLENGE } }),
      });
    },
  };
}

/** The middleware, as the files of functions pass it. */
export type StepUpCheck = typeof stepUp;
