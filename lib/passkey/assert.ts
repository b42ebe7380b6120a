import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { asRead, readAccount } from '../account/account.ts';
import { bestEffort } from '../async/best-effort.ts';
import { recordUse, withinGrace } from '../auth/activity.ts';
import { removalOf } from '../auth/authenticate.ts';
import type { Body } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Cause } from '../failure/cause.ts';
import { concerning, Failure } from '../failure/failure.ts';
import { relyingParty } from '../instance/relying-party.ts';
import { type Account, barOf, enrolmentOf } from '../item/account.ts';
import type { Passkey } from '../item/passkey.ts';
import { PER_ADDRESS } from '../login/attempts.ts';
import { openSession } from '../login/open-session.ts';
import { type Reservation, reserve } from '../login/reservation.ts';
import { sourceNetwork } from '../network/addresses.ts';
import type { Runtime } from '../runtime.ts';
import type { SigningKey } from '../session/session-token.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, passkeyAttemptsFromAddressKey, passkeyKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import { transact } from '../table/write.ts';
import { type Challenge, openChallenge, prepareChallenges, spending } from './challenge.ts';
import { noteFall } from './counter.ts';
import { isEmbedded } from './embedded.ts';
import { passkeyIdOf, userHandleOf } from './passkey.ts';
import type { contract } from './passkey-assert.contract.ts';

type Credential = Body<typeof contract>['credential'];

/** Longest wait for other attempts from the address, in milliseconds. */
const WAIT_MS = 8000;

/**
 * Exchanges an assertion of a passkey for a session of level 2. Failures count against the source address, apart from those
 * of passwords; a temporary lockout of the username does not apply, since nobody guesses a signature.
 *
 * @throws Failure `invalid_credentials`, `too_many_requests`, `unavailable`
 */
export async function assertPasskey(
  runtime: Runtime & { readonly signingKey: () => Promise<SigningKey> },
  { credential, createCookie }: Body<typeof contract>,
  event: GatewayEvent,
) {
  // Comes first: a missing key must not cost an attempt.
  const key = await runtime.signingKey();
  const { passkey, account, place } = await begin(runtime, credential, event);
  const proven = await prove(runtime, passkey, account, credential).catch(async (error) => {
    await Promise.all([
      settle(place, error),
      account && isFall(error) && bestEffort(noteFall(runtime, account, passkeyIdOf(credential.id))),
    ]);
    return concerning(account?.username)(error);
  });
  const by = { enrolment: proven.enrolment, name: proven.passkey_name };
  const [opened] = await Promise.all([
    openSession(runtime, key, proven.account, event, { createCookie, passkey: by }).catch(
      concerning(proven.account.username),
    ),
    bestEffort(place.release()),
    withinGrace(recordUse(runtime, proven.account)),
  ]);
  return opened;
}

const isFall = (error: unknown) => error instanceof Failure && error.cause === 'passkey_cloned';

/** Only a refused assertion counts as a failure. */
const settle = (place: Reservation, error: unknown) => {
  const hasFailed = error instanceof Failure && error.code === 'invalid_credentials';
  return bestEffort<unknown>(hasFailed ? place.fail() : place.release());
};

/** Reads the passkey and its account, and reserves a place among the attempts from the address, in two round trips. */
async function begin(runtime: Runtime, credential: Credential, event: GatewayEvent) {
  const { table, now } = runtime;
  const source = sourceNetwork(event.requestContext.http.sourceIp);
  const listKey = passkeyAttemptsFromAddressKey(source);
  const [[passkey, attempts]] = await Promise.all([
    getAll(table, [passkeyKey(passkeyIdOf(credential.id)), listKey]),
    prepareChallenges(runtime),
  ]);
  const owner = passkey?.passkey_owner;
  const list = { key: listKey, limit: PER_ADDRESS, item: attempts, clearedAt: 0 };
  const [account, place] = await Promise.all([
    owner === undefined ? undefined : readAccount(table, owner),
    // Locks nobody out, so it reserves a place or throws.
    reserve(runtime, list, source, now() + WAIT_MS) as Promise<Reservation>,
  ]).catch(concerning(owner));
  return { passkey, account, place };
}

const refused = (cause: Cause) => new Failure('invalid_credentials', { cause });

/**
 * Verifies an assertion, then spends its challenge and stores the signature counter, both or neither: of two requests with
 * one challenge, one succeeds. The same transaction checks that the account has had no transition meanwhile.
 */
async function prove(
  runtime: Runtime,
  passkey: Passkey | undefined,
  account: Account | undefined,
  credential: Credential,
) {
  const id = passkeyIdOf(credential.id);
  if (passkey?.credential_id !== credential.id) throw refused('unknown_passkey');
  const bar = barOf(account, runtime.now());
  if (!account || bar) throw refused(bar ?? 'account_unknown');
  const enrolment = enrolmentOf(account, id);
  if (enrolment === undefined) throw refused('passkey_removed');
  const { challenge, counter, backed_up } = await verify(runtime, passkey, account, credential);
  const failed = await transact(runtime.table, [
    {
      ConditionCheck: { Key: accountKey(account.username), ...expecting(asRead(account)) },
      otherwise: (item) => changed(item as Account | undefined, enrolment, runtime.now()),
    },
    { ...spending(challenge), otherwise: () => refused('challenge_spent') },
    {
      Update: {
        Key: passkeyKey(id),
        UpdateExpression: 'SET #counter = :counter, backed_up = :backed_up, passkey_used_at = :now',
        // Authenticators without a counter send 0. Any other one counts up, except the copy of a device, or the device
        // after its copy (WebAuthn level 3, section 6.1.1).
        ConditionExpression: counter === 0 ? '#counter = :counter' : '#counter < :counter',
        ExpressionAttributeNames: { '#counter': 'counter' },
        ExpressionAttributeValues: {
          ':counter': counter,
          ':backed_up': backed_up,
          ':now': new Date(runtime.now()).toISOString(),
        },
      },
      otherwise: (item) => refused(item?.['counter'] === undefined ? 'passkey_removed' : 'passkey_cloned'),
    },
  ]);
  if (failed) throw new Error('Each condition has a failure');
  return { account, enrolment, passkey_name: passkey.passkey_name };
}

/** The failure after a transition of the account during the assertion, which another one may follow if nothing forbids it. */
function changed(account: Account | undefined, enrolment: string, now: number): Failure {
  const cause = barOf(account, now) ?? removalOf(account as Account, enrolment);
  return cause ? refused(cause) : new Failure('unavailable', { retryAfter: 1 });
}

async function verify(runtime: Runtime, passkey: Passkey, account: Account, credential: Credential) {
  const party = relyingParty(runtime.settings);
  const { userHandle, ...response } = credential.response;
  let challenge: Challenge | undefined;
  let cause: Cause | undefined;
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: async (signed) => {
        const opened = await openChallenge(runtime, 'assert', signed);
        if (typeof opened === 'string') cause = opened;
        else if ((opened.sub ?? account.id) !== account.id) cause = 'wrong_challenge';
        else challenge = opened;
        return challenge !== undefined;
      },
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        // The transaction compares the counter, since another request may have raised it.
        counter: 0,
      },
    });
    if (!verified || !challenge) throw refused('wrong_assertion');
    if (isEmbedded(response.clientDataJSON)) throw refused('wrong_origin');
    // A challenge for any account is answered by a passkey that knows its own.
    const isOwn = userHandle === userHandleOf(account);
    if (!isOwn && (userHandle || challenge.sub === undefined)) throw refused('wrong_user_handle');
    return { challenge, counter: info.newCounter, backed_up: info.credentialBackedUp };
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The library tells by its texts only what does not match. The cause is for the log.
    throw refused(cause ?? (/origin/i.test((error as Error).message) ? 'wrong_origin' : 'wrong_assertion'));
  }
}
