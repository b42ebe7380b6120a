import { hashPassword, type NewPassword } from '#lib/password/hash';

/** Hashes a password in a thread of a pool. */
export default ({ password, cost }: { password: NewPassword; cost: number }): Promise<string> =>
  hashPassword(password, cost);
