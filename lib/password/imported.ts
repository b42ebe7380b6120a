import { invalid } from '../failure/failure.ts';
import type { PasswordCost } from '../item/instance.ts';

/** HMACs of PBKDF2, in the order of their numbers in ASP.NET Core Identity, and the bytes of a block of each. */
const BLOCK_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;
export type Prf = keyof typeof BLOCK_BYTES;
export const PRFS = Object.keys(BLOCK_BYTES) as Prf[];

/*
 * Every login takes the work of the most expensive hashes, for up to two spellings of the password. For a spelling, all
 * kinds at these bounds take less time than one hash of the highest BcryptCost.
 */
const [MIN_COST, MAX_COST] = [4, 14];
const [MIN_ITERATIONS, MAX_ROUNDS] = [1000, 1_000_000];
const [MIN_BYTES, MAX_BYTES] = [16, 64];

export interface Pbkdf2 {
  readonly prf: Prf;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly subkey: Buffer;
}

/** Iterations for all blocks of the subkey. */
export const roundsOf = ({ prf, iterations, subkey }: Pbkdf2) =>
  iterations * Math.ceil(subkey.length / BLOCK_BYTES[prf]);

/**
 * Reads a hash of ASP.NET Core Identity, in base64. The first byte is the version. V2 has 16 bytes of salt and a subkey of 32.
 * V3 has HMAC, iterations and length of the salt in 32 bits each (big endian), then the salt and the subkey.
 *
 * @see https://github.com/dotnet/aspnetcore/blob/main/src/Identity/Extensions.Core/src/PasswordHasher.cs
 */
export function pbkdf2In(hash: string): Pbkdf2 | undefined {
  const bytes = Buffer.from(hash, 'base64');
  if (bytes.toString('base64') !== hash) return undefined;
  if (bytes[0] === 0 && bytes.length === 49)
    return { prf: 'sha1', iterations: 1000, salt: bytes.subarray(1, 17), subkey: bytes.subarray(17) };
  const prf = bytes[0] === 1 && bytes.length > 13 ? PRFS[bytes.readUInt32BE(1)] : undefined;
  if (prf === undefined) return undefined;
  const end = 13 + bytes.readUInt32BE(9);
  const [salt, subkey] = [bytes.subarray(13, end), bytes.subarray(end)];
  return { prf, iterations: bytes.readUInt32BE(5), salt, subkey };
}

/** Unused bits of salt and digest are zero: otherwise no password could match. */
const BCRYPT = /^\$2[aby]\$(\d\d)(\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26])$/;

/** Marks bcrypt hashes of others; all three markers mean the same algorithm. */
const OTHERS = '$2y$';

/** Whether a stored hash is that of another service; a login replaces it. */
export const isImported = (hash: string) => hash.startsWith(OTHERS) || !hash.startsWith('$2');

/** A kind of hash, and a cost of it: the bcrypt cost, or the rounds of PBKDF2. */
export interface Cost {
  readonly kind: keyof PasswordCost;
  readonly cost: number;
}

/** The bcrypt cost of a hash; each step doubles the work. */
export const costOf = (hash: string): number => Number(hash.split('$')[2]);

/** Kind and cost of a stored hash. */
export function costIn(hash: string): Cost {
  const pbkdf2 = pbkdf2In(hash);
  if (pbkdf2) return { kind: pbkdf2.prf, cost: roundsOf(pbkdf2) };
  return { kind: isImported(hash) ? 'imported' : 'cost', cost: costOf(hash) };
}

/**
 * Checks a hash of another service.
 *
 * @returns the hash as it is stored
 * @throws Failure `invalid_request` with the reason, without the hash
 */
export function importedHash(hash: string): string {
  const refuse = (reason: string) => invalid('password_hash', reason);
  const [, cost, rest] = BCRYPT.exec(hash) ?? [];
  if (cost !== undefined) {
    if (Number(cost) < MIN_COST || Number(cost) > MAX_COST)
      throw refuse(`Must have a bcrypt cost of ${MIN_COST} to ${MAX_COST}`);
    return `${OTHERS}${cost}${rest}`;
  }
  if (hash.startsWith('$argon2'))
    throw refuse('Must not be Argon2: every login would take its memory. Set a new password');
  const pbkdf2 = pbkdf2In(hash);
  if (!pbkdf2) throw refuse('Must be a hash of ASP.NET Core Identity (V2, V3) or bcrypt ($2a$, $2b$, $2y$)');
  if ([pbkdf2.salt, pbkdf2.subkey].some(({ length }) => length < MIN_BYTES || length > MAX_BYTES))
    throw refuse(`Must have a salt and a subkey of ${MIN_BYTES} to ${MAX_BYTES} bytes each`);
  if (pbkdf2.iterations < MIN_ITERATIONS || roundsOf(pbkdf2) > MAX_ROUNDS)
    throw refuse(`Must have ${MIN_ITERATIONS} to ${MAX_ROUNDS} iterations, times the blocks of the subkey`);
  return hash;
}
