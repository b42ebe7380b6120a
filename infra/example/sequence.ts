/** The numbers that a subscriber has received of one type of event about one account. */
export interface Received {
  readonly highest: number;
  /** Lower numbers that have not arrived yet. */
  readonly missing: readonly number[];
}

/** Records a number, in any order. Numbers below the first one may be from before the subscription: none of them is missing. */
export function receive(before: Received | undefined, sequence: number): Received {
  if (!before) return { highest: sequence, missing: [] };
  const { highest, missing } = before;
  if (sequence <= highest) return { highest, missing: missing.filter((number) => number !== sequence) };
  const skipped = Array.from({ length: sequence - highest - 1 }, (_, n) => highest + 1 + n);
  return { highest: sequence, missing: [...missing, ...skipped] };
}
