import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';

/**
 * Whether the page that asked was in a frame of another origin, whose page can lay its own texts over it (WebAuthn level 3,
 * section 13.4.2). The library passes it where a browser does not name that origin.
 *
 * @param clientData in base64url, as the library has accepted it
 */
export const isEmbedded = (clientData: string): boolean =>
  Boolean(decodeClientDataJSON(clientData).crossOrigin);
