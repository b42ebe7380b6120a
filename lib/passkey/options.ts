import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server';
import type { Caller } from '../account/caller.ts';
import type { Body } from '../contract/contract.ts';
import { Failure } from '../failure/failure.ts';
import type { Runtime } from '../runtime.ts';
import type { VerifiedSession } from '../session/session-token.ts';
import { ALGORITHMS } from './algorithms.ts';
import { CHALLENGE_SECONDS, newChallenge } from './challenge.ts';
import type { contract } from './options.contract.ts';
import { descriptorsOf } from './passkey.ts';
import { checkMayCreate } from './recent.ts';
import { relyingParty } from './relying-party.ts';

const TIMEOUT_MS = CHALLENGE_SECONDS * 1000;

/**
 * Options for a browser to create a passkey, or to assert one, in the JSON form of WebAuthn; writes nothing. Without a caller
 * they name no account and no passkey: a name in the request has no effect, so the answer tells nothing about it.
 *
 * @throws Failure `unauthenticated`, `forbidden`, `step_up_required` for a new passkey
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
    checkMayCreate(runtime, caller, session);
  }
  const [challenge, descriptors] = await Promise.all([
    newChallenge(runtime, purpose, caller),
    caller ? descriptorsOf(runtime.table, caller, party.id) : [],
  ]);
  const common = { challenge, timeout: TIMEOUT_MS };
  const options =
    caller && purpose === 'create'
      ? await generateRegistrationOptions({
          ...common,
          rpID: party.id,
          rpName: party.name,
          userID: new Uint8Array(Buffer.from(caller.id)),
          userName: caller.username,
          userDisplayName: nameOf(caller),
          attestationType: 'none',
          excludeCredentials: descriptors,
          // Discoverable, for a login without a username.
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
          supportedAlgorithmIDs: [...ALGORITHMS],
        })
      : await generateAuthenticationOptions({
          ...common,
          rpID: party.id,
          allowCredentials: descriptors,
          userVerification: 'required',
        });
  return { options: { ...options } };
}

const nameOf = ({ user_first_name, user_last_name, username }: Caller) =>
  `${user_first_name} ${user_last_name}`.trim() || username;
