import type { Caller } from '../account/caller.ts';
import { changeAccount } from '../account/change-account.ts';
import { endOfPasskeys } from '../account/end-passkeys.ts';
import { PATIENT } from '../async/retry.ts';
import { recordUse, withinGrace } from '../auth/activity.ts';
import { Answer } from '../contract/answer.ts';
import type { Body } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Actor } from '../event/event.ts';
import { concerning, Failure, forbidden, invalid } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { refuseCommon } from '../password/blocklist.ts';
import { refuseBreached } from '../password/breached.ts';
import { refuseGuessable } from '../password/guessable.ts';
import { hashPassword, type NewPassword, newPassword } from '../password/hash.ts';
import { refuseOwnNames } from '../password/own-names.ts';
import { storePassword } from '../password/set-password.ts';
import type { SigningKey } from '../session/session-token.ts';
import { ConditionFailed, creating } from '../table/write.ts';
import { newSession } from './open-session.ts';
import type { contract } from './password.contract.ts';
import { type Proof, type Verified, verifyProofOf } from './password-login.ts';

type Request = Body<typeof contract>;

const FIELD = 'new_password';

/**
 * Sets the password of the caller, or of the holder of a one-time code, and answers with a new session. All other
 * sessions and a one-time code of the account end, with `end_codes` also those that it has made, and with a code made to end
 * them all passkeys. It costs an attempt like
 * a login. Common passwords are refused before the attempt. Refusals that depend on the account or take longer come after
 * it, keep the code, and do not count as failures.
 *
 * @param limits of the caller's credential
 * @throws Failure `unauthenticated`, `forbidden`, `invalid_request`, `invalid_credentials`, `too_many_requests`
 */
export async function changePassword(
  runtime: Announcing & { readonly signingKey: () => Promise<SigningKey> },
  caller: Caller | undefined,
  limits: CredentialLimits | undefined,
  request: Request,
  event: GatewayEvent,
) {
  const { username, proof } = proofIn(request, caller, limits);
  const password = newPassword(request.new_password, '', FIELD);
  await refuseCommon(password, FIELD);
  // Comes first: a missing key must not cost an attempt.
  const key = await runtime.signingKey();
  const { sourceIp } = event.requestContext.http;
  const verified = await verifyProofOf(runtime, username, proof, sourceIp);
  const { places } = verified;
  const { account, answer } = await replace(runtime, key, verified, password, event, request).catch(
    async (error) => {
      const hasFailed = error instanceof Failure && error.code === 'invalid_credentials';
      await (hasFailed ? places.fail() : places.release());
      return concerning(verified.account.username)(error);
    },
  );
  await Promise.all([
    places.succeed(account.stamp),
    caller ? undefined : withinGrace(recordUse(runtime, account)),
  ]);
  return answer;
}

/** The proof in a request: a caller proves the username with the current password, everyone else with a code. */
function proofIn(
  { current_password, username, code }: Request,
  caller: Caller | undefined,
  limits: CredentialLimits = {},
): { readonly username: string; readonly proof: Proof } {
  if (limits.roles) throw forbidden('roles', 'Requires a credential with all roles');
  if (!caller && code === undefined) throw new Failure('unauthenticated', { cause: 'no_credential' });
  const needless = caller ? { code, username } : { current_password };
  const [field] = Object.entries(needless).find(([, value]) => value !== undefined) ?? [];
  if (field) throw invalid(field, `Must be sent with${caller ? 'out' : ''} a credential`);
  if (caller && current_password !== undefined)
    return { username: caller.username, proof: { password: current_password } };
  if (username === undefined || code === undefined)
    throw invalid(caller ? 'current_password' : 'username', 'Is required');
  return { username, proof: { code } };
}

/**
 * Replaces the hash that was verified, unless the account was locked or cancelled, or its password changed, meanwhile.
 * The new session is recorded in the same transaction: after a failure, the former password is valid.
 */
async function replace(
  runtime: Announcing,
  key: SigningKey,
  { account: before, stored, code, isPassword }: Verified,
  password: NewPassword,
  event: GatewayEvent,
  { createCookie, end_codes }: Request,
) {
  const { settings } = runtime;
  refuseOwnNames(password, before, FIELD);
  await refuseGuessable(password, before, settings.OwnerName, FIELD);
  // Comes first: a code that stays valid must not reveal which of the breached passwords is the current one.
  await refuseBreached(password, settings.BreachedPasswordCheck, FIELD);
  if (stored && (await isPassword(password))) throw invalid(FIELD, 'Must not be the current password');
  const hash = await hashPassword(password, settings.BcryptCost);
  const endsPasskeys = code?.code_ends_passkeys === true;
  const { passkeys: _, enrolments: __, ...bare } = before;
  const account: Account = { ...(endsPasskeys ? bare : before), stamp: runtime.uuid() };
  const { record, answer } = await newSession(runtime, key, account, event, {
    createCookie,
    withCode: code !== undefined,
  });
  const { PK, SK, ...session } = record;
  const others = [creating({ PK, SK }, session)];
  const to = { hash, stamp: account.stamp, endsCodes: end_codes, others };
  const basis = { hash: stored?.hash, code };
  const actor = { by: before.username, requestId: event.requestContext.requestId };
  const proof = code ? 'code' : 'password';
  const store = (current: Account, also?: ReturnType<typeof endOfPasskeys>) => {
    const more = also && { also, others: [...others, ...also.writes] };
    return storePassword(runtime, current, { ...to, ...more }, proof, actor, basis);
  };
  const end = endsPasskeys ? await endingPasskeys(runtime, before, actor, store) : undefined;
  if (!end) await store(before);
  await end?.removeItems();
  const details = { proof, ...(end && { passkeys_ended: end.ended }) };
  return { account, answer: new Answer(answer.data, { ...answer, details }) };
}

/** Whoever creates and removes passkeys of an account all the time does not keep a code from ending them. */
const endingPasskeys = (
  runtime: Announcing,
  before: Account,
  actor: Actor,
  store: (current: Account, also: ReturnType<typeof endOfPasskeys>) => ReturnType<typeof storePassword>,
) =>
  changeAccount(
    before,
    async (current) => {
      const end = endOfPasskeys(runtime, current, actor);
      const stored = await store(current, end);
      return stored instanceof ConditionFailed ? stored : end;
    },
    PATIENT.attempts,
  );
