import { Failure } from './failure.ts';

/** A refusal to give a machine what it cannot have. */
export const notForMachines = (field: string, message: string) =>
  new Failure('machine_account', { errors: [{ field, message }] });

/**
 * Refuses a password, a code or a passkey for a machine.
 *
 * @param what what it cannot have, in words
 * @throws Failure `machine_account`
 */
export function checkPerson(
  account: { readonly kind?: 'machine' | undefined },
  field: string,
  what: string,
): void {
  if (account.kind === 'machine') throw notForMachines(field, `A machine has no ${what}`);
}
