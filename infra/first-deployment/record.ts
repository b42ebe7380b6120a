import * as z from 'zod/mini';
import { CHECKS, type Check } from './checks.ts';

const ID = z.enum(CHECKS.map(({ id }) => id));

/** The first line of a recording: where and when the checks ran, and of which commit. */
const placeSchema = z.strictObject({
  date: z.iso.date(),
  commit: z.string().check(z.regex(/^[0-9a-f]{40}$/)),
  region: z.string().check(z.minLength(1)),
  /** Whether the commands reached another service in place of AWS. */
  isEmulated: z.boolean(),
});

/** Each further line: what a check printed, without credentials and numbers of AWS accounts. */
const shownSchema = z.strictObject({
  id: ID,
  output: z.string(),
  /** The end of standard error. */
  errors: z.string(),
  seconds: z.number(),
});

export type Place = z.infer<typeof placeSchema>;
export type Shown = z.infer<typeof shownSchema>;

/** What the checks have shown on AWS; the last run of each counts. */
export interface Recording extends Place {
  readonly checks: readonly Shown[];
}

/**
 * Reads a recording of {@link CHECKS}: a line of JSON for the place, then one for each check.
 *
 * @throws Error with the number of a line that is not of this form
 */
export function readRecording(text: string): Recording {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const parsed = <T>(schema: z.ZodMiniType<T>, number: number): T => {
    const { success, data, error } = schema.safeParse(jsonOf(lines[number]));
    if (success) return data;
    throw new Error(`Line ${number + 1} is not of a recording: ${z.prettifyError(error)}`);
  };
  const place = parsed(placeSchema, 0);
  const last = new Map(
    lines
      .slice(1)
      .map((_, n) => parsed(shownSchema, n + 1))
      .map((one) => [one.id, one]),
  );
  return { ...place, checks: CHECKS.flatMap(({ id }) => last.get(id) ?? []) };
}

function jsonOf(line = ''): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Whether a check printed what it must. */
export const isAsExpected = ({ expect }: Check, { output }: Pick<Shown, 'output'>) => expect.test(output);
