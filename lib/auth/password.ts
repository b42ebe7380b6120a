import bcrypt from 'bcryptjs';
import { invalid } from '../failure.ts';

/** bcrypt reads no more than this. */
const MAX_BYTES = 72;
const MIN_BYTES = 8;

/** A password item: the hash and nothing else. */
export interface PasswordItem {
  readonly hash: string;
}

/** One spelling for what looks alike (Unicode NFKC, as RFC 8265 does for usernames). */
const normalise = (password: string) => password.normalize('NFKC');

/**
 * Hashes a new password.
 *
 * @param cost bcrypt cost, 10 to 15
 * @throws Failure `invalid_request` for a password that is too short, too long, or the username
 */
export async function hashPassword(password: string, username: string, cost: number): Promise<string> {
  const normal = normalise(password);
  const bytes = Buffer.byteLength(normal);
  if (!password.isWellFormed() || normal.includes('\0'))
    throw invalid('password', 'Must be well-formed Unicode without NUL');
  if (bytes < MIN_BYTES || bytes > MAX_BYTES)
    throw invalid('password', `Must be ${MIN_BYTES} to ${MAX_BYTES} bytes in UTF-8`);
  if (normal.toLowerCase() === username.toLowerCase()) throw invalid('password', 'Must not be the username');
  return bcrypt.hash(normal, cost);
}

/**
 * Whether the password is the one hashed. Without a hash, or with a password that can be none, the same work
 * is done and the answer is no: how long it takes says nothing.
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  cost: number,
): Promise<boolean> {
  const normal = normalise(password);
  const possible =
    password.isWellFormed() && !normal.includes('\0') && Buffer.byteLength(normal) <= MAX_BYTES;
  const matches = await bcrypt.compare(possible ? normal : '', hash ?? unusableHash(cost));
  return possible && hash !== undefined && matches;
}

/** A hash of the cost that no password has: its digest is all zero. */
const unusableHash = (cost: number) => `$2b$${cost}$${'.'.repeat(53)}`;

/** Whether a hash was made with another cost than is set now. */
export const needsRehash = (hash: string, cost: number) => bcrypt.getRounds(hash) !== cost;
