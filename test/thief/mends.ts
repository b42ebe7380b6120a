import type { Fault } from './faults.ts';

/** A mend of an attack, which a search must find again without it. */
interface Mend {
  /** The changes that take it out. */
  readonly out: readonly Fault[];
  /** Texts of the title of a start that reaches the attack. */
  readonly start: string;
  readonly finding: RegExp;
}

/** The mends that `--without` takes out, each by a name. */
export const MENDS: Readonly<Record<string, Mend>> = {};
