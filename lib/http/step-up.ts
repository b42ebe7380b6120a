import { sameUsername } from '../account/account.ts';
import { withDomains } from '../account/enrolments.ts';
import { isListed, MAX_ASSERTION_AGE, refusalOf } from '../auth/step-up.ts';
import type { Contract } from '../contract/contract.ts';
import { Failure } from '../failure/failure.ts';
import { relyingPartyId } from '../instance/relying-party.ts';
import type { Settings } from '../instance/settings.ts';
import { type Account, usablePasskeys } from '../item/account.ts';
import { nameIn } from '../passkey/name.ts';
import type { Runtime } from '../runtime.ts';
import { targetOf } from './authorization.ts';
import { REALM } from './envelope.ts';
import { type EndpointMiddleware, fieldsOf } from './request.ts';

/** The challenge of RFC 9470. It comes with 403 in place of its 401, upon which clients log out. */
const CHALLENGE = `Bearer ${REALM}, error="insufficient_user_authentication", max_age=${MAX_ASSERTION_AGE}`;

/** Whether the path names a passkey of the caller that does not work here. */
function isUnusable(name: unknown, caller: Account, settings: Settings): boolean {
  const own = nameIn(Object.keys(caller.passkeys ?? {}), `${name}`);
  return own !== undefined && !usablePasskeys(caller, relyingPartyId(settings)).includes(own);
}

/**
 * Refuses a request that its contract lists until a passkey has confirmed it. The account was read with the credential. Only a
 * refusal reads more: the domains of passkeys that an earlier version has enrolled.
 */
export function stepUp(
  contract: Contract,
  { table, settings, now }: Pick<Runtime, 'table' | 'settings' | 'now'>,
): EndpointMiddleware {
  const { stepUp: listed = 'always' } = contract;
  return {
    before: async ({ event: context }) => {
      const { authenticated, input } = context;
      if (!authenticated) throw new Error('The caller is not known yet');
      const { caller, session } = authenticated;
      const target = targetOf(contract, context);
      if (!isListed(listed, { caller, target, body: input?.body })) return;
      if (!refusalOf(settings, caller, session, now())) return;
      const known = await withDomains(table, caller);
      const refusal = refusalOf(settings, known, session, now());
      if (!refusal) return;
      const isOwn = target === undefined || sameUsername(target, caller.username);
      const isSpared = typeof listed === 'object' && listed.except && isOwn && session;
      if (isSpared && isUnusable(fieldsOf(input?.params)['passkey_name'], known, settings)) return;
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
