import { SignJWT } from 'jose';
import type { SigningKey } from '../session/session-token.ts';

/** Content of a token for another service (RFC 9068). */
export interface ResourceClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly client_id: string;
  readonly roles: readonly string[];
  /** The roles, separated by spaces; absent without one. */
  readonly scope?: string | undefined;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
}

/** Signs a token for another service. */
export const signResourceToken = ({ kid, key }: SigningKey, claims: ResourceClaims): Promise<string> =>
  new SignJWT({ ...claims, roles: [...claims.roles] })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt' })
    .sign(key);
