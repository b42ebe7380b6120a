import type { FieldError } from '../../failure/codes.ts';
import { Failure } from '../../failure/failure.ts';
import { parseExactly } from '../../input/exact-json.ts';
import { checkStrictJson } from '../../input/strict-json.ts';

/** The first line of a CSV file. */
export interface Head {
  readonly text: string;
  readonly separator: string;
  /** What each column sets: the name of a property, or an empty text for a column without a name. */
  readonly columns: readonly string[];
}

/** A line of a file, numbered from 1: an account, or its faults, which name positions and never quote a value, with what is readable. */
export interface FileLine {
  readonly line: number;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  /** The line as the file has it; absent for a fault of the whole file, which is then the only line. */
  readonly text?: string;
  /** Of a CSV file. */
  readonly head?: Head;
}

export const wrong = (message: string, field = '') => ({ errors: [{ field, message }] });

/** Earlier conversions replace what they cannot read by U+FFFD. */
export const isDamaged = (text: string) => text.includes('\ufffd');
export const DAMAGED = 'Has a character that an earlier conversion lost (U+FFFD): enter it again';

/** @throws SyntaxError, or Failure for JSON that is not strict */
export function strictJson(text: string): unknown {
  const value = parseExactly(text);
  checkStrictJson(text);
  return value;
}

export const faultIn = (error: unknown) =>
  error instanceof Failure ? error.errors?.[0]?.message : undefined;
