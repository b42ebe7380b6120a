import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What a device answers; every property but the first two can be wrong. */
export interface Answering {
  /** Page that asks. */
  readonly origin: string;
  /** Signature counter; 0 for devices without one. */
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly rpId?: string;
  readonly userHandle?: string | null;
  readonly challenge?: string;
  readonly type?: string;
  /** Whether the page is in a frame of another origin. */
  readonly crossOrigin?: boolean;
  /** Of the key as it is attested; the key itself stays ES256. */
  readonly algorithm?: number;
  /** Members of an attestation. */
  readonly attestation?: { readonly fmt: string; readonly statement: ReadonlyMap<string, unknown> };
}

/** Options as the service answers them. */
interface Options {
  readonly challenge?: unknown;
  readonly rp?: unknown;
  readonly rpId?: unknown;
  readonly user?: unknown;
}

const FLAG = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10, attested: 0x40 };

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** A passkey on a device in software: ES256, discoverable, without an attestation (WebAuthn level 3). */
export function newAuthenticator(rawId: Uint8Array = randomBytes(32)) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = Buffer.from(rawId).toString('base64url');
  let handle = '';

  const clientData = (type: string, { challenge }: Options, answering: Answering) =>
    Buffer.from(
      JSON.stringify({
        type: answering.type ?? type,
        challenge: answering.challenge ?? challenge,
        origin: answering.origin,
        crossOrigin: answering.crossOrigin ?? false,
      }),
    );
  const authenticatorData = (
    rpId: string,
    { counter = 0, isVerified = true }: Answering,
    attested?: Buffer,
  ) => {
    const flags =
      FLAG.present |
      (isVerified ? FLAG.verified : 0) |
      (counter === 0 ? FLAG.eligible | FLAG.backedUp : 0) |
      (attested ? FLAG.attested : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head, ...(attested ? [attested] : [])]);
  };
  const cose = (algorithm = -7) =>
    Buffer.from(
      isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, algorithm],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      ),
    );

  return {
    id,
    /** As COSE, in base64url. */
    publicKey: cose().toString('base64url'),
    /** Tells the device the account of its passkey, if it was not created by a request. */
    remember: (accountId: string) => {
      handle = Buffer.from(accountId).toString('base64url');
    },
    /** Creates the passkey, as `navigator.credentials.create` would. */
    create(options: Options, answering: Answering) {
      const { id: rpId = '' } = options.rp as { id?: string };
      handle = (options.user as { id: string }).id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, cose(answering.algorithm)]);
      const { fmt, statement } = answering.attestation ?? { fmt: 'none', statement: new Map() };
      const object = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', statement],
        ['authData', new Uint8Array(authenticatorData(answering.rpId ?? rpId, answering, attested))],
      ]);
      const client = clientData('webauthn.create', options, answering);
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        authenticatorAttachment: 'platform',
        clientExtensionResults: { credProps: { rk: true } },
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(object as never)).toString('base64url'),
          transports: ['internal', 'hybrid'],
          publicKeyAlgorithm: -7,
        },
      };
    },
    /** Signs a challenge, as `navigator.credentials.get` would. */
    get(options: Options, answering: Answering) {
      const data = authenticatorData(answering.rpId ?? String(options.rpId), answering);
      const client = clientData('webauthn.get', options, answering);
      const { userHandle = handle } = answering;
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
          userHandle,
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof newAuthenticator>;
