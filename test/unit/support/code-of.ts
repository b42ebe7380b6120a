import { expect } from 'vitest';
import { Failure } from '#lib/failure/failure';

/** The failure that a rule throws; undefined where it throws none. */
export function failureOf(rule: () => unknown): Failure | undefined {
  try {
    rule();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A text for people is never missing.
    expect(error.errors?.every(({ message }) => message.length > 0)).not.toBe(false);
    return error;
  }
}

/** Its code and the fields that it names. */
export function refusal(rule: () => unknown): { code: string; fields: string[] } | undefined {
  const failure = failureOf(rule);
  return failure && { code: failure.code, fields: failure.errors?.map(({ field }) => field) ?? [] };
}

/** Only the code. */
export const codeOf = (rule: () => unknown) => failureOf(rule)?.code;
