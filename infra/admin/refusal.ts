import type { FieldError } from '#lib/failure/codes';

export interface Details {
  readonly errors?: readonly FieldError[];
  /** Whether the command changed something before it failed. */
  readonly changed?: boolean;
  /** Shown to people first, in place of the errors. */
  readonly lines?: readonly string[];
}

/** A refused command, with a code of its own. By default it has changed nothing. */
export class Refusal extends Error {
  readonly details: Details;

  constructor(code: string, message: string, details: Details = {}) {
    super(message);
    this.name = code;
    this.details = details;
  }
}

/** Rethrows a failure that follows a change, with a message that begins with the change. */
export const afterChange =
  (change: string) =>
  (error: Error): never => {
    if (error instanceof Refusal) throw error;
    const code = error.name === 'Error' ? 'unavailable' : error.name;
    throw new Refusal(code, `${change}, but then: ${error.message}`, { changed: true });
  };
