import { type Client, CoreAccountError, type RequestOptions } from '#lib/client/index';
import { entrance as t } from '#texts/entrance';
import { assertionOf, attestationOf, creationOf, idOf, requestOf } from './credential.ts';

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

/** Whether the browser has passkeys. */
export const hasPasskeys = () => {
  const { PublicKeyCredential: found, navigator: of } = globalThis as Partial<typeof globalThis>;
  return found !== undefined && of?.credentials !== undefined;
};

/** Texts for failures of browsers and password managers, by their names. */
interface Texts extends Readonly<Record<string, string>> {
  readonly otherwise: string;
}
const OF_USE: Texts = {
  NotAllowedError: t.notUsed,
  SecurityError: t.notHere,
  otherwise: t.notUsable,
};
const OF_CREATION: Texts = {
  ...OF_USE,
  InvalidStateError: t.alreadyThere,
  otherwise: t.notCreated,
};

/** Asks the browser, and reads its answer. @throws the reason of the signal, or PasskeyFailure */
async function ask<T>(
  signal: AbortSignal | undefined,
  begin: () => Promise<Credential | null>,
  read: (credential: PublicKeyCredential) => T,
  texts: Texts,
): Promise<T> {
  if (!hasPasskeys()) throw new PasskeyFailure(t.noPasskeys);
  try {
    // Without one, or with one that lacks a member, reading throws.
    return read((await begin()) as PublicKeyCredential);
  } catch (error) {
    signal?.throwIfAborted();
    const name = `${(error as DOMException | undefined)?.name}`;
    throw new PasskeyFailure(Object.hasOwn(texts, name) ? texts[name] : texts.otherwise, { cause: error });
  }
}

/** The browsers of 2025 have these. */
type Signalling = Partial<
  Pick<typeof PublicKeyCredential, 'signalUnknownCredential' | 'signalAllAcceptedCredentials'>
>;

/** Reports something about passkeys to the browser, which may ignore it: it fails silently, and nobody waits for it. */
async function report(how: (browser: Signalling) => Promise<void> | undefined) {
  try {
    await how(PublicKeyCredential);
  } catch {
    // The person has lost nothing: the passkey is offered as before.
  }
}

/** Lets the browser drop a passkey that no account has. Never after a refused login: that has many causes. */
export const forgetPasskey = (rpId: string, credentialId: string) =>
  report((browser) => browser.signalUnknownCredential?.({ rpId, credentialId }));

type Passkeys = Awaited<ReturnType<Client['account']['passkeys']>>;

/** Lets the browser offer only the passkeys that the own account has. @param list of the own account, as it is now */
export const keepPasskeys = ({ rp_id: rpId, user_handle: userId, items }: Passkeys) =>
  report((browser) => {
    if (rpId === undefined || userId === undefined) return undefined;
    const ids = items.flatMap(({ usable, credential_id: id }) => (usable && id ? [id] : []));
    return browser.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: ids });
  });

/** Lets the person use a passkey: one of the account if `asking` presents a session, else any one of this instance. */
export async function usePasskey(
  asking: Client,
  { signal }: RequestOptions,
  mediation: CredentialMediationRequirement = 'required',
) {
  const { options } = await asking.account.passkeyOptions({ purpose: 'assert' }, { signal });
  const publicKey = requestOf(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  const begin = () => navigator.credentials.get({ publicKey, mediation, ...(signal && { signal }) });
  return ask(signal, begin, assertionOf, OF_USE);
}

/** Creates a passkey on a device and then in the account; if it gets no further than the device, the browser may drop it. */
export async function createPasskey(client: Client, name: string, { signal, ...rest }: RequestOptions) {
  const { options } = await client.account.passkeyOptions({ purpose: 'create' }, { signal });
  const given = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = creationOf(given);
  const begin = () => navigator.credentials.create({ publicKey, ...(signal && { signal }) });
  const forget = (id: string) => forgetPasskey(given.rp.id ?? location.hostname, id);
  const read = (created: PublicKeyCredential) => {
    try {
      return attestationOf(created);
    } catch (error) {
      forget(idOf(created));
      throw error;
    }
  };
  const credential = await ask(signal, begin, read, OF_CREATION);
  try {
    return await client.account.passkeyCreate({ passkey_name: name, credential }, { ...rest, signal });
  } catch (error) {
    // Without an answer, the account may have it.
    const isRefused = error instanceof CoreAccountError && error.status >= 400 && error.status < 500;
    if (isRefused) forget(credential.id);
    throw error;
  }
}
