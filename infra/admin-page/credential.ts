/**
 * Passkeys between the JSON form of WebAuthn and the bytes of browsers, by hand: older browsers have no
 * `parseRequestOptionsFromJSON`, and the credentials of some password managers throw in `toJSON`, or are plain objects.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of a text in base64url. */
function bytesOf(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/**
 * A value of a credential in base64url. A buffer may be of another window, so no class is compared.
 *
 * @throws TypeError if it is missing
 */
function textOf(value: unknown): string {
  if (typeof value === 'string' && value) return value;
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(value)
    ? value
    : new Uint8Array(value as ArrayBuffer);
  if (byteLength === 0) throw new TypeError('A member of the credential is missing');
  const binary = Array.from(new Uint8Array(buffer, byteOffset, byteLength), (byte) =>
    String.fromCharCode(byte),
  );
  return btoa(binary.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const descriptorsOf = (all: readonly PublicKeyCredentialDescriptorJSON[] = []) =>
  all.map((each) => ({ ...each, id: bytesOf(each.id) }) as PublicKeyCredentialDescriptor);

/** Options of an assertion as browsers take them. */
export const requestOf = ({
  challenge,
  allowCredentials,
  ...rest
}: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions =>
  ({
    ...rest,
    challenge: bytesOf(challenge),
    allowCredentials: descriptorsOf(allowCredentials),
  }) as PublicKeyCredentialRequestOptions;

/** Options of a new passkey as browsers take them. */
export const creationOf = ({
  challenge,
  user,
  excludeCredentials,
  ...rest
}: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions =>
  ({
    ...rest,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: descriptorsOf(excludeCredentials),
  }) as PublicKeyCredentialCreationOptions;

/** A member of an answer; undefined where it has none, or throws because it is not what its class says. */
function memberOf<T extends object, Name extends keyof T>(of: T, name: Name): T[Name] | undefined {
  try {
    return of[name];
  } catch {
    return undefined;
  }
}

/** The credential ID in base64url. @throws TypeError without one */
export const idOf = (credential: PublicKeyCredential) =>
  textOf(memberOf(credential, 'rawId') ?? memberOf(credential, 'id'));

const identityOf = (credential: PublicKeyCredential) => {
  const id = idOf(credential);
  return { id, rawId: id, type: 'public-key' as const };
};

/** The members of an assertion that the service reads. @throws TypeError if one is missing */
export function assertionOf(credential: PublicKeyCredential) {
  const response = credential.response as AuthenticatorAssertionResponse;
  const userHandle = memberOf(response, 'userHandle');
  const hasUserHandle = typeof userHandle === 'string' || (userHandle?.byteLength ?? 0) > 0;
  return {
    ...identityOf(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: hasUserHandle ? textOf(userHandle) : null,
    },
  };
}

/** The members of a new passkey that the service reads. @throws TypeError if one is missing */
export function attestationOf(credential: PublicKeyCredential) {
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...identityOf(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: transportsOf(response),
    },
  };
}

/** Ways to reach the device, where the browser knows them. */
function transportsOf(response: AuthenticatorAttestationResponse): string[] {
  try {
    return response.getTransports().filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}
