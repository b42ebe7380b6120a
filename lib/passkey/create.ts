import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { asRead } from '../account/account.ts';
import type { Caller } from '../account/caller.ts';
import { passkeysRead, withDomains, withoutPasskeys } from '../account/enrolments.ts';
import { PATIENT } from '../async/retry.ts';
import type { Body } from '../contract/contract.ts';
import type { Actor } from '../event/event.ts';
import { passkey_create } from '../event/passkey-events.ts';
import { Failure, invalid } from '../failure/failure.ts';
import { relyingParty } from '../instance/relying-party.ts';
import { type Account, usablePasskeys } from '../item/account.ts';
import type { Passkey } from '../item/passkey.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import type { VerifiedSession } from '../session/session-token.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, passkeyKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { storing } from '../table/write.ts';
import { ALGORITHMS } from './algorithms.ts';
import { type Challenge, openChallenge, prepareChallenges, spending } from './challenge.ts';
import { isEmbedded } from './embedded.ts';
import { MAX_PASSKEYS } from './maxima.ts';
import { hasName } from './name.ts';
import { passkeyIdOf, shown } from './passkey.ts';
import type { contract } from './passkey-create.contract.ts';
import { checkMayCreate } from './recent.ts';

type Credential = Body<typeof contract>['credential'];

const refused = (message: string) => invalid('credential', message);
const STALE = 'Must answer a challenge for your new passkey that is not expired or used';
const EMBEDDED = 'Must be created by a page that is in no frame of another origin';

/** Longest ID of a credential, in bytes (WebAuthn level 3, section 7.1), and in base64url. */
const MAX_ID_BYTES = 1023;
const MAX_ID_LENGTH = Math.ceil((MAX_ID_BYTES * 4) / 3);
const TOO_LONG = `Must have an ID of at most ${MAX_ID_BYTES} bytes`;

/**
 * Stores a new passkey of the caller. Its challenge is spent in the same transaction.
 *
 * @param session of the request; undefined for an API token
 * @throws Failure `machine_account`, `forbidden`, `step_up_required`, `invalid_request`, `passkey_exists`, `passkey_limit`
 */
export async function createPasskey(
  runtime: Announcing,
  caller: Caller,
  session: VerifiedSession | undefined,
  name: string,
  credential: Credential,
  actor: Actor,
) {
  await checkMayCreate(runtime, caller, session);
  const { challenge, ...proven } = await verify(runtime, caller, credential);
  const occurrence = occurrenceBy(runtime, actor);
  const passkey: Passkey = {
    passkey_owner: caller.username,
    passkey_name: name,
    ...proven,
    passkey_created_at: new Date(occurrence.at).toISOString(),
  };
  const id = passkeyIdOf(passkey.credential_id);
  const { rp_id, passkey_created_at: created_at } = passkey;
  const enrolment = { id: runtime.uuid(), rp_id, created_at };
  const announcement = announce(runtime, passkey_create, occurrence, name);
  const item = { ...passkey, passkey_used_at: undefined, ttl: undefined };
  return optimistically<Account | undefined, ReturnType<typeof shown>>(
    caller,
    async (account) => {
      if (account?.id !== caller.id) throw new Failure('unauthenticated', { cause: 'account_unknown' });
      const { passkeys = {} } = account;
      // Another request may have created the first one meanwhile.
      await checkMayCreate(runtime, account, session);
      if (hasName(Object.keys(passkeys), name)) throw new Failure('passkey_exists');
      if (await isFull(runtime, account, rp_id)) throw new Failure('passkey_limit');
      // Without those that an earlier version has removed.
      const present = withoutPasskeys(account, []);
      const to = {
        ...present,
        passkeys: { ...passkeys, [name]: id },
        enrolments: { ...present.enrolments, [id]: enrolment },
        ...announcement.counted(account),
      };
      // It may have become a machine meanwhile, which has no passkeys.
      const as = { ...asRead(account), ...passkeysRead(account) };
      const changes = assign(to, { ...as, ...announcement.expected(account) });
      const writes = [
        { ...spending(challenge), otherwise: () => refused(STALE) },
        // A removed one leaves an item without attributes for a while.
        {
          ...storing(passkeyKey(id), item, { credential_id: undefined }),
          otherwise: 'passkey_exists' as const,
        },
        { Update: { Key: accountKey(account.username), ...changes } },
      ];
      const failed = await commitWithEvents(runtime, writes, announcement.events(account), PATIENT);
      return failed ?? shown(passkey, rp_id, account);
    },
    PATIENT.attempts,
  );
}

/** Whether an account has as many passkeys that work at a domain as it may. */
async function isFull({ table }: Announcing, account: Account, domain: string): Promise<boolean> {
  const hasMost = (of: Account) => usablePasskeys(of, domain).length >= MAX_PASSKEYS;
  return hasMost(account) && hasMost(await withDomains(table, account));
}

type Proven = Pick<
  Passkey,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'backup_eligible' | 'backed_up' | 'rp_id'
> & { readonly challenge: Challenge };

/** Verifies what the device has answered. @throws Failure `invalid_request` */
async function verify(runtime: Announcing, caller: Caller, credential: Credential): Promise<Proven> {
  const { id, origins } = relyingParty(runtime.settings);
  let challenge: Challenge | undefined;
  let isForeign = false;
  // Comes first: all that fails below is the fault of the request.
  await prepareChallenges(runtime);
  try {
    checkAttestation(credential);
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { ...credential.response, transports: [] },
        clientExtensionResults: {},
      },
      expectedChallenge: async (signed) => {
        const opened = await openChallenge(runtime, 'create', signed);
        isForeign = typeof opened === 'string' || opened.sub !== caller.id;
        if (typeof opened !== 'string') challenge = opened;
        return !isForeign;
      },
      expectedOrigin: [...origins],
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!info || !challenge) throw refused(STALE);
    if (isEmbedded(credential.response.clientDataJSON)) throw refused(EMBEDDED);
    if (info.credential.id.length > MAX_ID_LENGTH) throw refused(TOO_LONG);
    return {
      challenge,
      credential_id: info.credential.id,
      public_key: Buffer.from(info.credential.publicKey).toString('base64url'),
      counter: info.credential.counter,
      transports: [...new Set(credential.response.transports)],
      backup_eligible: info.credentialDeviceType === 'multiDevice',
      backed_up: info.credentialBackedUp,
      rp_id: id,
    };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refused(isForeign ? STALE : `Does not verify: ${(error as Error).message}`);
  }
}

/**
 * The options ask for no attestation, so a browser sends none, or that of the passkey itself (`packed` without certificates).
 * To verify another one, the library would request URLs that its certificates name.
 */
function checkAttestation({ response }: Credential) {
  const object = decodeAttestationObject(
    new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
  );
  const format = object.get('fmt');
  const isOwn = format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
  if (!isOwn) throw refused('Must have no attestation');
}
