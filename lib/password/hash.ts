import bcrypt from 'bcryptjs';
import { invalid } from '../failure.ts';

/** Bytes that bcrypt reads. */
const MAX_BYTES = 72;
const MIN_BYTES = 8;

/** Normalising takes quadratic time; a longer text is too long in every normal form. */
const MAX_RAW_LENGTH = 1024;

/** The normal form (Unicode NFKC) of a password; undefined for a text that cannot be one. */
function normalise(password: string): string | undefined {
  if (password.length > MAX_RAW_LENGTH || !password.isWellFormed() || password.includes('\0'))
    return undefined;
  const normal = password.normalize('NFKC');
  return Buffer.byteLength(normal) <= MAX_BYTES ? normal : undefined;
}

/** Phantom property (type level only): distinguishes a {@link NewPassword} from any other text. */
declare const CHECKED: unique symbol;

/** A checked password in the normal form that is hashed. */
export type NewPassword = string & { readonly [CHECKED]: true };

/**
 * Checks and normalises a new password.
 *
 * @throws Failure `invalid_request` for a password that is too short, too long, malformed, or the username
 */
export function newPassword(password: string, username: string): NewPassword {
  const normal = normalise(password);
  if (normal === undefined || Buffer.byteLength(normal) < MIN_BYTES)
    throw invalid('password', `Must be ${MIN_BYTES} to ${MAX_BYTES} bytes of well-formed UTF-8 without NUL`);
  if (normal.toLowerCase() === username.toLowerCase()) throw invalid('password', 'Must not be the username');
  return normal as NewPassword;
}

/**
 * Hashes a new password.
 *
 * @param cost bcrypt cost, 10 to 15
 */
export const hashPassword = (password: NewPassword, cost: number): Promise<string> =>
  bcrypt.hash(password, cost);

/**
 * Compares a password with a hash. The same work is done without a hash, with a hash of a lower cost, and for an
 * impossible password: the time reveals nothing.
 *
 * @param cost cost that every verification takes; a hash of a higher cost takes its own
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  cost: number,
): Promise<boolean> {
  const normal = normalise(password);
  const matches = await bcrypt.compare(normal ?? '', hash ?? unusableHash(cost));
  for (let lower = hash ? costOf(hash) : cost; lower < cost; lower++)
    await bcrypt.compare('', unusableHash(lower));
  return normal !== undefined && hash !== undefined && matches;
}

/** A hash that no password matches: its digest is zero. */
const unusableHash = (cost: number) => `$2b$${cost}$${'.'.repeat(53)}`;

/** The bcrypt cost of a hash; each step doubles the work. */
export const costOf = (hash: string): number => bcrypt.getRounds(hash);
