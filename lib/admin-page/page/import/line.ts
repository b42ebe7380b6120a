import type { FileLine } from '../../../account/file/line.ts';
import type { Client } from '../../../client/index.ts';
import type { FieldError } from '../../../failure/codes.ts';

/** A line of a file: an account, or its faults, which quote no value. */
export interface Line extends FileLine {
  readonly value: Parameters<Client['account']['create']>[0];
  readonly errors: readonly FieldError[];
}

export const hasFaults = ({ errors }: Pick<Line, 'errors'>) => errors.length > 0;
