import { expect } from 'vitest';
import { Failure } from '#lib/failure';

/** The code of the failure that a rule throws, and the fields it names; undefined where it throws none. */
export function refusal(rule: () => unknown): { code: string; fields: string[] } | undefined {
  try {
    rule();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A text for people is never missing.
    expect(error.errors?.every(({ message }) => message.length > 0)).not.toBe(false);
    return { code: error.code, fields: error.errors?.map(({ field }) => field) ?? [] };
  }
}

/** Only the code. */
export const codeOf = (rule: () => unknown) => refusal(rule)?.code;
