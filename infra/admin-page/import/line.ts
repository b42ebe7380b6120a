import type { FileLine } from '#lib/account/file/line';
import type { Client } from '#lib/client/index';
import type { FieldError } from '#lib/failure/codes';

/** A line of a file: an account, or its faults, which quote no value. */
export interface Line extends FileLine {
  readonly value: Parameters<Client['account']['create']>[0];
  readonly errors: readonly FieldError[];
  /** Short names of teams that do not exist, each of which is a fault, too. */
  readonly missing?: readonly string[];
}

export const hasFaults = ({ errors }: Pick<Line, 'errors'>) => errors.length > 0;
