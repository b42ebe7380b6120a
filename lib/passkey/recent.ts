import { withDomains } from '../account/enrolments.ts';
import { checkOwnSession } from '../auth/credential-limits.ts';
import { failing, forbidden } from '../failure/failure.ts';
import { checkPerson } from '../failure/machine.ts';
import { relyingPartyId } from '../instance/relying-party.ts';
import { type Account, hasPasskey } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { AMR, isRecent, type VerifiedSession } from '../session/session-token.ts';

/** Longest time since the proof of the account at which a session may create a passkey, in seconds. */
export const RECENT_SECONDS = 300;

const MINUTES = RECENT_SECONDS / 60;

/** The methods whose sessions may create the first passkey of an account that works here. */
const FIRST: readonly string[] = [...AMR.password, ...AMR.code];

/**
 * Refuses to create a passkey with anything but a proof of the last minutes: a thief of a session or of an API token would
 * get a credential that outlives it. The first one needs the password or a one-time code, further ones a passkey. Those of
 * another domain do not count.
 *
 * @param session of the request; undefined for an API token
 * @throws Failure `machine_account`, `forbidden`, `step_up_required`
 */
export async function checkMayCreate(
  { table, now, settings }: Pick<Runtime, 'table' | 'now' | 'settings'>,
  account: Account,
  session: VerifiedSession | undefined,
): Promise<void> {
  checkPerson(account, 'session', 'passkey');
  checkOwnSession(session);
  const isOfLastMinutes = (time = 0) => isRecent(time, RECENT_SECONDS, now());
  const { amr = [], auth_time, iat } = session;
  const domain = relyingPartyId(settings);
  if (hasPasskey(account, domain) && isOfLastMinutes(auth_time)) return;
  // Only a refusal reads the domains of passkeys that an earlier version has enrolled.
  if (hasPasskey(account, domain) && hasPasskey(await withDomains(table, account), domain))
    throw failing(
      'step_up_required',
      'session',
      `Requires an assertion of one of your passkeys in the last ${MINUTES} minutes`,
    );
  if (!(amr.some((method) => FIRST.includes(method)) && isOfLastMinutes(iat)))
    throw forbidden(
      'session',
      `Must have begun in the last ${MINUTES} minutes with the password or a one-time code: log in again`,
    );
}
