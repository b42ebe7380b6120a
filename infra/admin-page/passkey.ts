import { type Client, CoreAccountError, type RequestOptions } from '#lib/client/index';

/** A failure of the browser or the device, in words for people. */
export class PasskeyFailure extends Error {
  override toString() {
    return this.message;
  }
}

/** The address of this page at a name, if it is at an IP address: browsers accept no passkey there. */
export function addressWithName({ href, hostname }: Pick<Location, 'href' | 'hostname'> = location) {
  if (!/^[\d.]+$|^\[/.test(hostname)) return undefined;
  const url = new URL(href);
  url.hostname = 'localhost';
  return url.href;
}

/** Whether the browser has passkeys, in the JSON form of WebAuthn level 3. */
export const hasPasskeys = () =>
  (globalThis as Partial<typeof globalThis>).PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;

/** Texts for failures of browsers, by their names. */
const TEXTS: Readonly<Record<string, string>> = {
  NotAllowedError: 'Your passkey was not used: it was cancelled, or it took too long.',
  InvalidStateError: 'This device already has a passkey of your account.',
  SecurityError: 'Passkeys do not work at this address.',
};

/** Asks the browser. @throws the reason of the signal, or PasskeyFailure */
async function ask(
  signal: AbortSignal | undefined,
  begin: () => Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  if (!hasPasskeys()) throw new PasskeyFailure('This browser has no passkeys. Use a current one.');
  try {
    return (await begin()) as PublicKeyCredential;
  } catch (error) {
    signal?.throwIfAborted();
    const { name, message } = error as DOMException;
    throw new PasskeyFailure(TEXTS[name] ?? `The passkey was not used: ${message}`);
  }
}

/** What a client sends in the place of a credential. */
type Sent<Method extends (input: never) => unknown> = Parameters<Method>[0] extends { credential: infer C }
  ? C
  : never;

type Assertion = Sent<Client['account']['passkeyAssert']>;
type Attestation = Sent<Client['account']['passkeyCreate']>;

/** Lets the person use a passkey: one of the account if `asking` presents a session, else any one of this instance. */
export async function usePasskey(
  asking: Client,
  { signal }: RequestOptions,
  mediation: CredentialMediationRequirement = 'required',
): Promise<Assertion> {
  const { options } = await asking.account.passkeyOptions({ purpose: 'assert' }, { signal });
  const credential = await ask(signal, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
      mediation,
      ...(signal && { signal }),
    }),
  );
  return credential.toJSON() as Assertion;
}

/** Creates a passkey on a device and then in the account; if the service refuses it, the browser may drop it again. */
export async function createPasskey(client: Client, name: string, { signal, ...rest }: RequestOptions) {
  const { options } = await client.account.passkeyOptions({ purpose: 'create' }, { signal });
  const given = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const created = await ask(signal, () =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(given),
      ...(signal && { signal }),
    }),
  );
  try {
    const credential = created.toJSON() as Attestation;
    return await client.account.passkeyCreate({ passkey_name: name, credential }, { ...rest, signal });
  } catch (error) {
    const { signalUnknownCredential: forget } = PublicKeyCredential as Signalling;
    // Without an answer, the account may have it.
    const isRefused = error instanceof CoreAccountError && error.status >= 400 && error.status < 500;
    await (isRefused ? forget : undefined)
      ?.call(PublicKeyCredential, { rpId: given.rp.id ?? location.hostname, credentialId: created.id })
      .catch(() => undefined);
    throw error;
  }
}

/** Browsers of 2025 have it. */
interface Signalling {
  readonly signalUnknownCredential?: (unknown: { rpId: string; credentialId: string }) => Promise<void>;
}
