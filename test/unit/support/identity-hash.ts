import { pbkdf2Sync } from 'node:crypto';

const SALT = Buffer.from('0123456789abcdef');
const V3 = { prf: 1, iterations: 10_000, salt: SALT as Uint8Array, length: 32 };

/** Hashes a password as ASP.NET Core Identity V2 does. */
export const identityV2 = (password: string): string =>
  Buffer.concat([Buffer.of(0), SALT, pbkdf2Sync(password, SALT, 1000, 32, 'sha1')]).toString('base64');

/** Hashes a password as ASP.NET Core Identity V3 does; with numbers that are out of bounds, no password matches. */
export function identityV3(password: string, parts: Partial<typeof V3> = {}): string {
  const { prf, iterations, salt, length } = { ...V3, ...parts };
  const header = Buffer.alloc(13, 1);
  for (const [n, value] of [prf, iterations, salt.length].entries()) header.writeUInt32BE(value, 1 + 4 * n);
  const rounds = iterations > 0 && iterations <= 10_000 ? iterations : 1;
  const subkey = pbkdf2Sync(password, salt, rounds, length, ['sha1', 'sha256', 'sha512'][prf] ?? 'md5');
  return Buffer.concat([header, salt, subkey]).toString('base64');
}
