import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialDescriptorJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Caller } from '../account/caller.ts';
import type { Body } from '../contract/contract.ts';
import { Failure } from '../failure/failure.ts';
import { type RelyingParty, relyingParty } from '../instance/relying-party.ts';
import type { Runtime } from '../runtime.ts';
import type { VerifiedSession } from '../session/session-token.ts';
import { ALGORITHMS } from './algorithms.ts';
import { CHALLENGE_SECONDS, newChallenge } from './challenge.ts';
import { descriptorsOf, inBase64url, userHandleOf } from './passkey.ts';
import type { contract } from './passkey-options.contract.ts';
import { checkMayCreate } from './recent.ts';

/**
 * Options for a browser to create a passkey, or to assert one, in the JSON form of WebAuthn; writes nothing. Without a caller
 * they name no account and no passkey: a name in the request has no effect, so the answer tells nothing about it.
 *
 * @throws Failure `unauthenticated`, `machine_account`, `forbidden`, `step_up_required` for a new passkey
 */
export async function passkeyOptions(
  runtime: Runtime,
  caller: Caller | undefined,
  session: VerifiedSession | undefined,
  { purpose }: Body<typeof contract>,
) {
  const party = relyingParty(runtime.settings);
  if (purpose === 'create') {
    if (!caller) throw new Failure('unauthenticated', { cause: 'no_credential' });
    await checkMayCreate(runtime, caller, session);
  }
  const [challenge, credentials] = await Promise.all([
    newChallenge(runtime, purpose, caller),
    caller ? descriptorsOf(runtime.table, caller, party.id) : [],
  ]);
  const common = { challenge: inBase64url(challenge), timeout: CHALLENGE_SECONDS * 1000 };
  const options =
    caller && purpose === 'create'
      ? creation(party, caller, common, credentials)
      : assertion(party, common, credentials);
  return { options: { ...options } };
}

type Common = Required<Pick<PublicKeyCredentialCreationOptionsJSON, 'challenge' | 'timeout'>>;

const creation = (
  { id, name }: RelyingParty,
  caller: Caller,
  common: Common,
  excludeCredentials: PublicKeyCredentialDescriptorJSON[],
): PublicKeyCredentialCreationOptionsJSON => ({
  ...common,
  rp: { id, name },
  user: { id: userHandleOf(caller), name: caller.username, displayName: nameOf(caller) },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials,
  // Discoverable, for a login without a username.
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
});

const assertion = (
  { id }: RelyingParty,
  common: Common,
  allowCredentials: PublicKeyCredentialDescriptorJSON[],
): PublicKeyCredentialRequestOptionsJSON => ({
  ...common,
  rpId: id,
  allowCredentials,
  userVerification: 'required',
});

const nameOf = ({ user_first_name, user_last_name, username }: Caller) =>
  `${user_first_name} ${user_last_name}`.trim() || username;
